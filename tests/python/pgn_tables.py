"""python-chess as referee: tables of players and of events have the same numbers.

    pgn_tables.py BINARY FILE...

The tags are read by python-chess, and each spelling of a name is a player. A difference is written, and the exit code is 1.
"""

import collections
import datetime
import json
import math
import subprocess
import sys

import chess
import chess.pgn

POINTS = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5)}


def read(path):
    games = []
    with open(path, encoding="utf-8") as file:
        while (game := chess.pgn.read_headers(file)) is not None:
            for name in game:
                game[name] = game[name].strip()
            games.append(game)
    return games


def rating(text):
    return int(text) if text.isdigit() and 0 < int(text) < 65536 else None


def is_name(text):
    return any(letter.isalnum() for letter in text)


class Player:
    def __init__(self):
        self.games = [0, 0]
        self.points = 0.0
        self.opponents = []
        self.rated_points = 0.0

    def add(self, side, points, opponent):
        self.games[side] += 1
        if points is None:
            return
        self.points += points
        if opponent:
            self.opponents.append(opponent)
            self.rated_points += points

    def performance(self):
        if not self.opponents:
            return None
        share = self.rated_points / len(self.opponents)
        gain = 800 if share == 1 else -800 if share == 0 else 400 * math.log10(share / (1 - share))
        return sum(self.opponents) / len(self.opponents) + max(-800, min(800, gain))


def players(headers):
    found = collections.defaultdict(Player)
    for tags in headers:
        elos = [rating(tags.get("WhiteElo", "")), rating(tags.get("BlackElo", ""))]
        points = POINTS.get(tags["Result"], (None, None))
        for side, name in enumerate((tags["White"], tags["Black"])):
            if is_name(name):
                found[name].add(side, points[side], elos[1 - side])
    return found


def is_near(one, other):
    if one is None or other is None:
        return one is other
    return abs(one - other) < 0.5001


def answer(binary, command, path):
    arguments = [binary, "pgn", command, "--exact", "--json", "-q", path]
    return json.loads(subprocess.run(arguments, capture_output=True, text=True).stdout)


def compare_players(binary, path, headers, fail):
    theirs = players(headers)
    ours = {row["name"]: row for row in answer(binary, "players", path)["players"]}
    if ours.keys() != theirs.keys():
        fail(f"names: {sorted(ours.keys() ^ theirs.keys())}")
        return 0
    for name, player in theirs.items():
        row = ours[name]
        games = [row["as_white"]["games"], row["as_black"]["games"]]
        is_same = games == player.games and row["points"] == player.points
        if not is_same or not is_near(row["performance"], player.performance()):
            fail(f"{name}: {row}, not {player.games}, {player.points}, {player.performance()}")
    return len(theirs)


def days(date):
    """The first and the last possible day; nothing without a year."""
    parts = [int(part) if part.isdigit() else 0 for part in (date.split(".") + ["", ""])[:3]]
    year, month, day = parts
    if not year:
        return None
    try:
        exact = datetime.date(year, month, day).toordinal()
        return exact, exact
    except ValueError:
        pass
    if 1 <= month <= 12:
        return datetime.date(year, month, 1).toordinal(), datetime.date(year + month // 12, month % 12 + 1, 1).toordinal() - 1
    return datetime.date(year, 1, 1).toordinal(), datetime.date(year, 12, 31).toordinal()


def editions(games):
    """The games of an event without a date: pauses of more than 90 days separate its editions."""
    is_vague = lambda tags: not any(part.isdigit() and int(part) for part in tags.get("Date", "").split(".")[1:2])
    found = []
    for first, last in sorted({days(tags.get("Date", "")) for tags in games if not is_vague(tags)} - {None}):
        if found and first - found[-1][1] <= 90:
            found[-1] = found[-1][0], max(last, found[-1][1])
        else:
            found.append((first, last))
    meet = lambda one, other: one[0] <= other[1] and other[0] <= one[1]
    for year in sorted({days(tags.get("Date", "")) for tags in games if is_vague(tags)} - {None}):
        if not any(meet(year, edition) for edition in found):
            found.append(year)
    found.sort()
    parts = [[] for _ in found or [None]]
    latest = 0
    for tags in games:
        span = days(tags.get("Date", ""))
        if span and not meet(span, found[latest]):
            latest = next(index for index, edition in enumerate(found) if meet(span, edition))
        parts[latest].append(tags)
    return [part for part in parts if part]


def compare_events(binary, path, headers, fail):
    tagged = collections.defaultdict(list)
    for tags in headers:
        if is_name(tags["White"]) and is_name(tags["Black"]):
            site = tags.get("Site", "")
            has_editions = is_name(tags["Event"]) and not is_name(tags.get("EventDate", ""))
            is_place = has_editions and is_name(site) and "://" not in site
            key = tags["Event"], tags.get("EventDate", ""), tags.get("Section", ""), tags.get("Stage", "")
            tagged[*key, site if is_place else ""].append(tags)
    events = {}
    for key, games in tagged.items():
        has_editions = is_name(key[0]) and not is_name(key[1])
        for number, part in enumerate(editions(games) if has_editions else [games]):
            events[*key, number] = part
    ours = answer(binary, "crosstable", path)["events"]
    if len(ours) != len(events):
        fail(f"{len(ours)} events, not {len(events)}")
        return 0
    for event, key in zip(ours, sorted(events)):
        if event["event"] != key[0]:
            fail(f"event {event['event']}, not {key[0]}")
        theirs = players(events[key])
        points = {name: player.points for name, player in theirs.items()}
        berger = collections.Counter()
        buchholz = collections.Counter()
        for tags in events[key]:
            result = POINTS.get(tags["Result"], (0, 0))
            names = tags["White"], tags["Black"]
            for side in (0, 1):
                berger[names[side]] += result[side] * points[names[1 - side]]
                buchholz[names[side]] += points[names[1 - side]]
        rows = event["players"]
        for row in rows:
            name = row["name"]
            expected = points[name], berger[name], buchholz[name]
            if (row["points"], row["sonneborn_berger"], row["buchholz"]) != expected:
                fail(f"{event['event']}, {name}: {row}, not {expected}")
            for game in row["games"]:
                other = rows[game["opponent"] - 1]["name"]
                side = 0 if game["color"] == "White" else 1
                is_there = any(
                    (tags["White"], tags["Black"])[side] == name
                    and (tags["White"], tags["Black"])[1 - side] == other
                    and POINTS.get(tags["Result"], (None, None))[side] == game["points"]
                    for tags in events[key]
                )
                if not is_there:
                    fail(f"{event['event']}, {name}: no game {game}")
        if sorted(points) != sorted(row["name"] for row in rows):
            fail(f"{event['event']}: other names")
        order = [(-row["points"], -row["sonneborn_berger"], -row["buchholz"], row["name"]) for row in rows]
        if order != sorted(order):
            fail(f"{event['event']}: order {order}")
    return len(events)


def main():
    binary, *paths = sys.argv[1:]
    names = events = differences = 0

    def fail(text):
        nonlocal differences
        differences += 1
        print(f"{path}: {text}")

    for path in paths:
        headers = read(path)
        names += compare_players(binary, path, headers, fail)
        events += compare_events(binary, path, headers, fail)
    print(f"{names} players, {events} events, {differences} differences")
    sys.exit(1 if differences or not names or not events else 0)


main()
