"""GNU parallel and Spark annotate games as one run of the program does.

    analyse_tools.py BINARY PAGE parallel|spark FILE...

The block of the page is run as it is there, on copies of the files. A difference is written, and the exit code is 1.
"""

import glob
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# The page has more nodes than a test has time for.
NODES = "--nodes 200"


def block(page, language, word):
    """The block in a language that has a word."""
    text = pathlib.Path(page).read_text(encoding="utf-8")
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    found = [block for block in blocks if word in block]
    assert len(found) == 1, (language, word, len(found))
    short, count = re.subn(r"--nodes \w+", NODES, found[0])
    assert count == 1, found[0]
    return short


def games(text):
    """The games of a text, in an order of their own."""
    return sorted(game.strip() for game in re.split(r"^(?=\[Event )", text, flags=re.MULTILINE) if game.strip())


def main():
    binary, page, tool, *files = sys.argv[1:]
    page = os.path.abspath(page)
    files = [os.path.abspath(file) for file in files]
    with tempfile.TemporaryDirectory(prefix="hematite-analyse-tools-") as folder:
        os.chdir(folder)
        for name in ("bin", "archive", "annotated"):
            os.mkdir(name)
        os.symlink(os.path.abspath(binary), "bin/hematite")
        os.environ["PATH"] = os.path.join(folder, "bin") + os.pathsep + os.environ["PATH"]
        for file in files:
            shutil.copy(file, "archive")

        if tool == "parallel":
            subprocess.run(["sh", "-c", block(page, "sh", "parallel ")], check=True)
            parts = sorted(glob.glob("annotated/*.pgn"))
            assert len(parts) == len(files), parts
        else:
            exec(block(page, "python", "SparkSession"), {})
            parts = sorted(glob.glob("spark/part-*"))
        found = "".join(pathlib.Path(part).read_text(encoding="utf-8") for part in parts)

        command = ["hematite", "analyse", "-q", *NODES.split(), *sorted(glob.glob("archive/*.pgn"))]
        expected = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        expected, found = games(expected), games(found)
        print(f"{len(expected)} games of {len(files)} files in {len(parts)} parts")
        if len(expected) < len(files) or expected != found:
            print(f"expected {len(expected)} games, found {len(found)}")
            for one, other in zip(expected, found):
                if one != other:
                    print(f"expected:\n{one}\nfound:\n{other}")
                    break
            sys.exit(1)


if __name__ == "__main__":
    main()
