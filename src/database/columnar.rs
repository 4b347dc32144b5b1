//! Tables stored by column, and their files in the format Parquet (<https://parquet.apache.org/docs/file-format/>).

use crate::files::{AtomicFile, WriteError};
use parquet::basic::{Compression, Type as Physical, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::{ColumnDescPtr, ColumnPath, SchemaDescriptor, TypePtr};
use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The number of values of a column that are written at a time.
const SLICE: usize = 1 << 13;
/// The compression level of Zstandard, which is its default.
const LEVEL: i32 = 3;

/// The columns of a table.
#[derive(Clone)]
pub(super) struct Schema {
    root: TypePtr,
    columns: Arc<SchemaDescriptor>,
}

impl Schema {
    /// Parses a schema in the notation of Parquet. Columns are required, optional, or the only columns of a required
    /// list, or the entries of a required map.
    pub(super) fn new(text: &str) -> Self {
        let root: TypePtr =
            Arc::new(parse_message_type(text).expect("the schemas of the program can be read"));
        Self { columns: Arc::new(SchemaDescriptor::new(Arc::clone(&root))), root }
    }
}

/// A set of texts, each with a number.
#[derive(Default)]
struct Texts {
    values: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, u32>,
}

impl Texts {
    fn number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let text: Arc<str> = text.into();
        let number = u32::try_from(self.values.len()).expect("a group of rows has fewer values");
        self.values.push(Arc::clone(&text));
        self.numbers.insert(text, number);
        number
    }
}

/// The values of a column.
enum Values {
    Integers(Vec<i32>),
    Longs(Vec<i64>),
    Reals(Vec<f64>),
    /// Texts by their numbers, since most texts are repeated.
    Texts(Texts, Vec<u32>),
}

/// A column of a batch of rows.
struct Column {
    values: Values,
    /// In optional columns and lists: for each row or entry 1, or 0 if there is no value.
    definitions: Option<Vec<i16>>,
    /// In lists: for each entry 0 if it is the first of its row, otherwise 1.
    repetitions: Option<Vec<i16>>,
}

impl Column {
    /// Records that there is a value.
    fn define(&mut self) {
        if let Some(definitions) = &mut self.definitions {
            definitions.push(1);
        }
    }

    fn text(&mut self, text: &str) {
        let Values::Texts(texts, ids) = &mut self.values else { unreachable!("a column of texts") };
        ids.push(texts.number(text));
        self.define();
    }

    fn none(&mut self) {
        self.definitions.as_mut().expect("only a required column has no definitions").push(0);
    }

    /// Moves all rows of a column of the same type to the end of this one.
    fn append(&mut self, other: &mut Self) {
        match (&mut self.values, &mut other.values) {
            (Values::Integers(to), Values::Integers(from)) => to.append(from),
            (Values::Longs(to), Values::Longs(from)) => to.append(from),
            (Values::Reals(to), Values::Reals(from)) => to.append(from),
            (Values::Texts(texts, to), Values::Texts(others, from)) => {
                let numbers: Vec<u32> = others.values.iter().map(|text| texts.number(text)).collect();
                to.extend(from.drain(..).map(|id| numbers[id as usize]));
            }
            _ => unreachable!("columns of one place are of one kind"),
        }
        for (to, from) in
            [(&mut self.definitions, &mut other.definitions), (&mut self.repetitions, &mut other.repetitions)]
        {
            if let (Some(to), Some(from)) = (to, from) {
                to.append(from);
            }
        }
    }

    fn clear(&mut self) {
        match &mut self.values {
            Values::Integers(values) => values.clear(),
            Values::Longs(values) => values.clear(),
            Values::Reals(values) => values.clear(),
            Values::Texts(texts, ids) => {
                *texts = Texts::default();
                ids.clear();
            }
        }
        for levels in [&mut self.definitions, &mut self.repetitions].into_iter().flatten() {
            levels.clear();
        }
    }

    fn write(&self, writer: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        match &self.values {
            Values::Integers(values) => {
                self.write_slices::<Int32Type>(writer, values.len(), &|slice| values[slice].to_vec())
            }
            Values::Longs(values) => {
                self.write_slices::<Int64Type>(writer, values.len(), &|slice| values[slice].to_vec())
            }
            Values::Reals(values) => {
                self.write_slices::<DoubleType>(writer, values.len(), &|slice| values[slice].to_vec())
            }
            Values::Texts(texts, ids) => {
                let texts: Vec<ByteArray> =
                    texts.values.iter().map(|text| ByteArray::from(&**text)).collect();
                self.write_slices::<ByteArrayType>(writer, ids.len(), &|slice| {
                    ids[slice].iter().map(|&id| texts[id as usize].clone()).collect()
                })
            }
        }
    }

    /// Writes values in slices; each slice ends at the end of a row.
    fn write_slices<T: DataType>(
        &self,
        writer: &mut SerializedColumnWriter<'_>,
        values: usize,
        of: &dyn Fn(Range<usize>) -> Vec<T::T>,
    ) -> Result<(), ParquetError> {
        let count = self.definitions.as_ref().map_or(values, Vec::len);
        let (mut start, mut next_value) = (0, 0);
        while start < count {
            let mut end = count.min(start + SLICE);
            let is_within = |at: usize| {
                self.repetitions.as_ref().and_then(|levels| levels.get(at)).is_some_and(|&level| level > 0)
            };
            while is_within(end) {
                end += 1;
            }
            let definitions = self.definitions.as_ref().map(|levels| &levels[start..end]);
            let repetitions = self.repetitions.as_ref().map(|levels| &levels[start..end]);
            let present = |levels: &[i16]| levels.iter().filter(|&&level| level > 0).count();
            let values = next_value..next_value + definitions.map_or(end - start, present);
            next_value = values.end;
            writer.typed::<T>().write_batch(&of(values), definitions, repetitions)?;
            start = end;
        }
        Ok(())
    }
}

/// A batch of rows of a table.
pub(super) struct Rows {
    columns: Vec<Column>,
    count: usize,
}

impl Rows {
    /// An empty batch for a table with these columns.
    pub(super) fn new(schema: &Schema) -> Self {
        let column = |column: &ColumnDescPtr| Column {
            values: match column.physical_type() {
                Physical::INT32 => Values::Integers(Vec::new()),
                Physical::INT64 => Values::Longs(Vec::new()),
                Physical::DOUBLE => Values::Reals(Vec::new()),
                Physical::BYTE_ARRAY => Values::Texts(Texts::default(), Vec::new()),
                other => unreachable!("no table of the program has a column of the type {other}"),
            },
            definitions: (column.max_def_level() > 0).then(Vec::new),
            repetitions: (column.max_rep_level() > 0).then(Vec::new),
        };
        Self { columns: schema.columns.columns().iter().map(column).collect(), count: 0 }
    }

    /// The number of rows.
    pub(super) const fn len(&self) -> usize {
        self.count
    }

    /// Starts a row. Its cells are added in the order of the columns.
    pub(super) fn row(&mut self) -> Row<'_> {
        self.count += 1;
        Row { columns: self.columns.iter_mut() }
    }

    /// Adds a number to every value of the first column, which must consist of required 64-bit integers.
    pub(super) fn renumber(&mut self, by: i64) {
        let Some(Column { values: Values::Longs(numbers), .. }) = self.columns.first_mut() else {
            unreachable!("a column of numbers")
        };
        for number in numbers {
            *number += by;
        }
    }

    /// Moves all rows of another batch of the same table to the end of this one.
    fn append(&mut self, mut other: Self) {
        for (own, other) in self.columns.iter_mut().zip(&mut other.columns) {
            own.append(other);
        }
        self.count += other.count;
    }

    fn clear(&mut self) {
        self.columns.iter_mut().for_each(Column::clear);
        self.count = 0;
    }
}

/// A row that is being built.
pub(super) struct Row<'a> {
    columns: std::slice::IterMut<'a, Column>,
}

impl Row<'_> {
    fn next(&mut self) -> &mut Column {
        self.columns.next().expect("a row has as many cells as its table has columns")
    }

    /// Adds a 64-bit integer.
    pub(super) fn long(&mut self, value: i64) -> &mut Self {
        let column = self.next();
        let Values::Longs(values) = &mut column.values else { unreachable!("a column of 64-bit integers") };
        values.push(value);
        column.define();
        self
    }

    /// Adds a 32-bit integer, or a missing value.
    pub(super) fn integer(&mut self, value: Option<i32>) -> &mut Self {
        let column = self.next();
        match (value, &mut column.values) {
            (Some(value), Values::Integers(values)) => {
                values.push(value);
                column.define();
            }
            (Some(_), _) => unreachable!("a column of 32-bit integers"),
            (None, _) => column.none(),
        }
        self
    }

    /// Adds a floating-point number, or a missing value.
    pub(super) fn real(&mut self, value: Option<f64>) -> &mut Self {
        let column = self.next();
        match (value, &mut column.values) {
            (Some(value), Values::Reals(values)) => {
                values.push(value);
                column.define();
            }
            (Some(_), _) => unreachable!("a column of floating-point numbers"),
            (None, _) => column.none(),
        }
        self
    }

    /// Adds a text, or a missing value.
    pub(super) fn text(&mut self, value: Option<&str>) -> &mut Self {
        let column = self.next();
        match value {
            Some(text) => column.text(text),
            None => column.none(),
        }
        self
    }

    /// Adds a list of texts.
    pub(super) fn list<'a>(&mut self, values: impl Iterator<Item = &'a str>) -> &mut Self {
        let column = self.next();
        let mut level = 0;
        for text in values {
            column.text(text);
            column.repetitions.as_mut().expect("a list").push(level);
            level = 1;
        }
        if level == 0 {
            column.none();
            column.repetitions.as_mut().expect("a list").push(level);
        }
        self
    }
}

/// Writes a table to files in a folder, in groups of rows, so that memory is bounded. The files get their final names
/// when all of them are complete.
pub(super) struct TableWriter {
    folder: PathBuf,
    schema: Schema,
    properties: WriterPropertiesPtr,
    /// The number of rows of a group.
    group: usize,
    waiting: Rows,
    open: Option<(PathBuf, SerializedFileWriter<AtomicFile>)>,
    complete: Vec<(PathBuf, AtomicFile)>,
}

impl TableWriter {
    /// A table without rows. The column `random` is stored without a dictionary, since its values are all different.
    pub(super) fn new(folder: PathBuf, schema: Schema, group: usize, random: Option<&str>) -> Self {
        let level = ZstdLevel::try_new(LEVEL).expect("Zstandard has this level");
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(level))
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_created_by(format!("hematite version {}", env!("CARGO_PKG_VERSION")));
        if let Some(name) = random {
            properties = properties.set_column_dictionary_enabled(ColumnPath::from(name), false);
        }
        let waiting = Rows::new(&schema);
        Self {
            folder,
            schema,
            properties: Arc::new(properties.build()),
            group,
            waiting,
            open: None,
            complete: Vec::new(),
        }
    }

    /// Adds rows.
    ///
    /// # Errors
    /// If the rows cannot be written; the error states the file.
    pub(super) fn add(&mut self, rows: Rows) -> io::Result<()> {
        self.waiting.append(rows);
        if self.waiting.len() >= self.group { self.write_group() } else { Ok(()) }
    }

    fn write_group(&mut self) -> io::Result<()> {
        if self.waiting.len() == 0 {
            return Ok(());
        }
        let columns = std::mem::take(&mut self.waiting.columns);
        let (path, file) = self.file()?;
        let mut write = || {
            let mut group = file.next_row_group()?;
            for column in &columns {
                let mut writer = group.next_column()?.expect("the file has the columns of the table");
                column.write(&mut writer)?;
                writer.close()?;
            }
            group.close().map(|_| ())
        };
        write().map_err(|error| failed(path, error))?;
        self.waiting.columns = columns;
        self.waiting.clear();
        Ok(())
    }

    /// The file that is being written.
    fn file(&mut self) -> io::Result<&mut (PathBuf, SerializedFileWriter<AtomicFile>)> {
        if self.open.is_none() {
            let path = self.folder.join(format!("{:06}.parquet", self.complete.len()));
            let file = AtomicFile::create(&path).map_err(|error| WriteError::name(&path, error))?;
            let (root, properties) = (Arc::clone(&self.schema.root), Arc::clone(&self.properties));
            let writer = SerializedFileWriter::new(file, root, properties);
            let writer = writer.map_err(|error| failed(&path, error))?;
            self.open = Some((path, writer));
        }
        Ok(self.open.as_mut().expect("it has been opened"))
    }

    /// Ends the current file, so that the next rows go to another file.
    ///
    /// # Errors
    /// The same as for [`Self::add`].
    pub(super) fn end_file(&mut self) -> io::Result<()> {
        self.write_group()?;
        if let Some((path, writer)) = self.open.take() {
            let file = writer.into_inner().map_err(|error| failed(&path, error))?;
            self.complete.push((path, file));
        }
        Ok(())
    }

    /// Completes the last file. A table without rows also has a file, which states its columns.
    ///
    /// # Errors
    /// The same as for [`Self::add`].
    pub(super) fn end(&mut self) -> io::Result<()> {
        if self.complete.is_empty() {
            self.file()?;
        }
        self.end_file()
    }

    /// Renames all files to their final names.
    ///
    /// # Errors
    /// If a file cannot be renamed.
    pub(super) fn commit(self) -> io::Result<()> {
        for (path, file) in self.complete {
            file.commit().map_err(|error| WriteError::name(&path, error))?;
        }
        Ok(())
    }
}

/// An error with the name of its file. Errors of the system are passed on without the wrapper of the library.
fn failed(path: &Path, error: ParquetError) -> io::Error {
    let error = match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(inner) => io::Error::other(inner),
        },
        error => io::Error::other(error),
    };
    WriteError::name(path, error)
}
