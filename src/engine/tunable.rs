//! The numbers that steer the search as options, in builds in which they can be set.

use crate::search::{Parameter, Params};
use crate::uci::{OptionDeclaration, OptionError, OptionKind, OptionValue, same_name};

/// The parameters that can be set; none if they are constants.
fn parameters() -> &'static [Parameter] {
    if Params::CAN_BE_SET { Params::DECLARED } else { &[] }
}

/// The parameter that can be set by this name, in any case and with or without spaces.
pub(super) fn named(name: &str) -> Option<&'static Parameter> {
    parameters().iter().find(|parameter| same_name(parameter.name, name))
}

/// The lines that declare the parameters that can be set.
pub(super) fn declarations() -> impl Iterator<Item = OptionDeclaration> {
    parameters()
        .iter()
        .map(|parameter| OptionDeclaration { name: parameter.name.to_owned(), kind: kind(parameter) })
}

/// Reads the value of a parameter.
///
/// # Errors
/// [`OptionError`] if it is none, or out of range.
pub(super) fn value(parameter: &Parameter, text: Option<&str>) -> Result<i32, OptionError> {
    match kind(parameter).parse_value(text)? {
        OptionValue::Spin(value) => Ok(value as i32), // its range is one of such numbers
        _ => unreachable!("a spin option reads as a number"),
    }
}

fn kind(parameter: &Parameter) -> OptionKind {
    let Parameter { default, low, high, .. } = *parameter;
    OptionKind::Spin { default: default.into(), min: low.into(), max: high.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_options_only_where_they_can_be_set() {
        let expected = if Params::CAN_BE_SET { Params::DECLARED.len() } else { 0 };
        assert_eq!(declarations().count(), expected);
        assert_eq!(named("RFP_Margin").is_some(), Params::CAN_BE_SET);
        assert_eq!(named("no_such_thing"), None);
    }

    #[test]
    fn values_are_in_the_range_that_is_declared() {
        for parameter in Params::DECLARED {
            let Parameter { name, default, low, high, .. } = *parameter;
            let read = |number: i32| value(parameter, Some(&number.to_string())).ok();
            assert_eq!([low, default, high].map(read), [Some(low), Some(default), Some(high)], "{name}");
            assert_eq!([low - 1, high + 1].map(read), [None, None], "{name}");
            assert!(value(parameter, None).is_err(), "{name}");
        }
    }
}
