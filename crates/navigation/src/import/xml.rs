//! Elements and attributes of XML, with a limit on nesting and errors that name the line.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::DEPTH_MAX;
use super::error::{ImportError, fail, number, short};

/// The elements of a text in order.
pub(super) struct Xml<'a> {
    reader: Reader<&'a [u8]>,
    text: &'a str,
    depth: usize,
}

/// The beginning or the end of an element.
pub(super) enum Tag<'a> {
    Open(BytesStart<'a>),
    Close(String),
}

impl<'a> Xml<'a> {
    pub fn new(text: &'a str) -> Xml<'a> {
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        Xml { reader, text, depth: 0 }
    }

    /// An error if there are more elements of a name than that many. They are counted before anything is read: reading
    /// millions only to refuse them takes longer than anybody waits.
    pub fn at_most(&self, most: usize, names: &[&str]) -> Result<(), ImportError> {
        for name in names {
            if self.text.matches(&format!("<{name} ")).nth(most).is_some() {
                return fail("", format!("there are more than {most} <{name}>"), "cut out the part that is needed");
            }
        }
        Ok(())
    }

    /// The next tag, or nothing at the end.
    pub fn next(&mut self) -> Result<Option<Tag<'a>>, ImportError> {
        loop {
            match self.reader.read_event() {
                Ok(Event::Start(start)) => {
                    self.depth += 1;
                    if self.depth > DEPTH_MAX {
                        return fail(
                            self.line(),
                            format!("elements are nested deeper than {DEPTH_MAX}"),
                            "this is no place",
                        );
                    }
                    return Ok(Some(Tag::Open(start)));
                }
                Ok(Event::End(end)) => {
                    self.depth = self.depth.saturating_sub(1);
                    return Ok(Some(Tag::Close(end.name().into_inner().to_owned())));
                }
                Ok(Event::Eof) if self.depth > 0 => {
                    return fail(self.line(), "the file ends within an element", "was the file cut short?");
                }
                Ok(Event::Eof) => return Ok(None),
                Ok(_) => (),
                Err(error) => {
                    return fail(self.line(), short_error(&error), "this is not XML: was the file cut short?");
                }
            }
        }
    }

    /// What messages call the place that has been reached.
    pub fn line(&self) -> String {
        let at = (self.reader.buffer_position() as usize).min(self.text.len());
        format!("line {}", 1 + self.text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count())
    }

    /// The value of an attribute, if it is there.
    pub fn attribute(&self, start: &BytesStart<'_>, name: &str) -> Result<Option<String>, ImportError> {
        for attribute in start.attributes() {
            match attribute {
                Ok(attribute) if attribute.key.into_inner() == name => {
                    let value = attribute.value.into_owned();
                    // Only names hold entities; one that is unknown stays as it is written.
                    return Ok(Some(quick_xml::escape::unescape(&value).map_or(value.clone(), |v| v.into_owned())));
                }
                Ok(_) => (),
                Err(error) => {
                    let what = format!("<{}>: {error}", start.name().into_inner());
                    return fail(self.line(), what, "attributes are name=\"value\"");
                }
            }
        }
        Ok(None)
    }

    /// The number in an attribute.
    pub fn number(&self, start: &BytesStart<'_>, name: &str) -> Result<f64, ImportError> {
        let value = self.attribute(start, name)?;
        let element = start.name().into_inner();
        match value.as_deref().map(number) {
            Some(Some(number)) => Ok(number),
            Some(None) => {
                let what = format!("<{element}>: {name} is `{}`", short(value.as_deref().unwrap_or_default()));
                fail(self.line(), what, "give a finite number")
            }
            None => fail(self.line(), format!("<{element}> has no {name}"), "give a number"),
        }
    }

    /// The id in an attribute.
    pub fn id(&self, start: &BytesStart<'_>, name: &str) -> Result<i64, ImportError> {
        let value = self.attribute(start, name)?.unwrap_or_default();
        match value.parse() {
            Ok(id) => Ok(id),
            Err(_) => {
                let what = format!("<{}>: {name} is `{}`", start.name().into_inner(), short(&value));
                fail(self.line(), what, "give a whole number")
            }
        }
    }
}

fn short_error(error: &quick_xml::Error) -> String {
    error.to_string().chars().take(200).collect()
}
