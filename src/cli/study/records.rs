//! The records of a learner: a summary, and all answers as CSV.

use super::now;
use crate::cli::streams::{IgnoreBrokenPipe, OutputArg, write_json};
use crate::cli::{CliError, ExitStatus};
use crate::files::csv_field;
use crate::notation::percent;
use crate::study::{MAX_POINTS, Progress, ProgressError, loss_in_points};
use jiff::Timestamp;
use serde_json::json;
use std::io::{self, Write};

/// The header of the CSV table.
const COLUMNS: &str = "time,kind,position,title,move,wrong,hints,shown,points,loss";

fn failed(error: ProgressError) -> CliError {
    CliError::Failed(error.to_string())
}

/// Prints, for each kind of exercise, the numbers asked, found and due, and the average loss of judged guesses. The
/// answer is no if there are none.
pub(super) fn print_statistics(
    progress: &Progress,
    is_json: bool,
    out: &mut dyn Write,
) -> Result<ExitStatus, CliError> {
    let statistics = progress.statistics(now()).map_err(failed)?;
    let out = &mut IgnoreBrokenPipe::new(out);
    if is_json {
        let rows: Vec<_> = statistics
            .iter()
            .map(|row| {
                json!({
                    "kind": row.kind,
                    "asked": row.asked,
                    "at_once": row.clean,
                    "points": row.points,
                    "most_points": row.asked * u64::from(MAX_POINTS),
                    "judged": row.judged,
                    "average_loss": row.average_loss,
                    "scheduled": row.cards,
                    "due": row.due,
                })
            })
            .collect();
        write_json(out, &json!({ "study": rows }))?;
    } else {
        writeln!(out, "kind          asked  at once  points  loss  scheduled    due")?;
        for row in &statistics {
            let points = percent(row.points, row.asked * u64::from(MAX_POINTS)).unwrap_or_default();
            let points = format!("{points:.0} %");
            let loss = row
                .average_loss
                .map_or_else(|| "-".to_owned(), |loss| format!("{:.0}", loss_in_points(loss)));
            writeln!(
                out,
                "{:<12} {:>6}  {:>7}  {points:>6}  {loss:>4}  {:>9}  {:>5}",
                row.kind, row.asked, row.clean, row.cards, row.due
            )?;
        }
    }
    Ok(if statistics.is_empty() { ExitStatus::No } else { ExitStatus::Yes })
}

/// A failure to read or to write.
enum ExportError {
    Progress(ProgressError),
    Output(io::Error),
}

impl From<ProgressError> for ExportError {
    fn from(error: ProgressError) -> Self {
        Self::Progress(error)
    }
}

/// Writes all answers as CSV. The answer is no if there are none.
pub(super) fn export(
    progress: &Progress,
    target: &OutputArg,
    out: &mut dyn Write,
) -> Result<ExitStatus, CliError> {
    let mut output = target.open(out)?;
    writeln!(output, "{COLUMNS}")?;
    let mut written = 0_u64;
    let result = progress.answers(|record| {
        let time = Timestamp::from_millisecond(record.at).map(|time| time.to_string()).unwrap_or_default();
        let position = record.item.split_once(':').map_or("", |(_, fen)| fen);
        let loss = record.loss.map(|loss| format!("{loss:.3}")).unwrap_or_default();
        written += 1;
        writeln!(
            output,
            "{time},{},{},{},{},{},{},{},{},{loss}",
            csv_field(&record.kind),
            csv_field(position),
            csv_field(&record.title),
            csv_field(&record.mv),
            record.wrong,
            record.hints,
            u8::from(record.is_shown),
            record.points
        )
        .map_err(ExportError::Output)
    });
    match result {
        Ok(()) => {}
        Err(ExportError::Progress(error)) => return Err(failed(error)),
        Err(ExportError::Output(error)) => return Err(error.into()),
    }
    output.finish()?;
    Ok(if written == 0 { ExitStatus::No } else { ExitStatus::Yes })
}
