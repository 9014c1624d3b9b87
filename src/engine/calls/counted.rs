//! A JSON value whose every look is counted, as the validator takes it: see [`super::effort`].

use std::borrow::Cow;
use std::ops::ControlFlow;

use jsonschema::JsonType;
use jsonschema::json::{Array, Json, Node, NodeIdentity, Object, SerdeJson, cmp, unique};
use serde_json::{Map, Value};

use super::effort::{Meter, weight};

/// The representation.
pub(super) struct Counted;

/// One value of it, or the object or list in one.
pub(super) struct Look<'a, T: ?Sized = Value> {
    pub value: &'a T,
    /// Names of keys that the validator makes values of have none.
    pub meter: Option<&'a Meter>,
}

impl<T: ?Sized> Clone for Look<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Look<'_, T> {}

impl<'a, T: ?Sized> Look<'a, T> {
    #[inline]
    fn at<U: ?Sized>(self, value: &'a U) -> Look<'a, U> {
        Look { value, meter: self.meter }
    }

    #[inline]
    pub fn charge(&self, looks: u64) {
        if let Some(meter) = self.meter {
            meter.charge(looks);
        }
    }
}

impl Json for Counted {
    type Node<'a> = Look<'a>;
    type PreparedKey = String;
    type StringBuffer = ();

    const KEYS_PER_LOOKUP: usize = SerdeJson::KEYS_PER_LOOKUP;
    const ACYCLIC: bool = true;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>((): &mut (), text: &str, call: impl FnOnce(Look<'_>) -> T) -> T {
        call(Look { value: &Value::String(text.to_owned()), meter: None })
    }
}

impl<'a> Node<'a, Counted> for Look<'a> {
    type Object = Look<'a, Map<String, Value>>;
    type Array = Look<'a, [Value]>;
    type Number = &'a serde_json::Number;

    #[inline]
    fn as_object(&self) -> Option<Self::Object> {
        self.charge(1);
        self.value.as_object().map(|keys| self.at(keys))
    }

    #[inline]
    fn as_array(&self) -> Option<Self::Array> {
        self.charge(1);
        self.value.as_array().map(|items| self.at(&items[..]))
    }

    #[inline]
    fn as_string(&self) -> Option<Cow<'a, str>> {
        self.charge(1);
        self.value.as_str().map(Cow::Borrowed)
    }

    #[inline]
    fn as_number(&self) -> Option<Self::Number> {
        self.charge(1);
        self.value.as_number()
    }

    #[inline]
    fn as_boolean(&self) -> Option<bool> {
        self.charge(1);
        self.value.as_bool()
    }

    #[inline]
    fn is_null(&self) -> bool {
        self.charge(1);
        self.value.is_null()
    }

    #[inline]
    fn json_type(&self) -> JsonType {
        self.charge(1);
        Node::<SerdeJson>::json_type(&self.value)
    }

    fn string_length(&self) -> Option<u64> {
        self.charge(1 + read(self.value));
        Node::<SerdeJson>::string_length(&self.value)
    }

    fn string_length_within(&self, least: u64, most: u64) -> Option<bool> {
        self.charge(1 + read(self.value));
        Node::<SerdeJson>::string_length_within(&self.value, least, most)
    }

    fn equals_value(&self, expected: &Value) -> bool {
        // Comparing ends at the first difference, so that only what is equal costs more.
        let is_equal = cmp::equal(self.value, expected);
        self.charge(1 + if is_equal { weight(expected) } else { 0 });
        is_equal
    }

    /// For errors, which hold a copy.
    fn to_value(&self) -> Cow<'a, Value> {
        if let Some(meter) = self.meter {
            meter.charge_error(self.value);
        }
        Cow::Borrowed(self.value)
    }

    #[inline]
    fn identity(&self) -> Option<NodeIdentity> {
        self.charge(1);
        Node::<SerdeJson>::identity(&self.value)
    }
}

/// The looks that reading the whole of a text is worth.
fn read(value: &Value) -> u64 {
    value.as_str().map_or(0, |text| (text.len() / 64) as u64)
}

impl<'a> Object<'a, Counted> for Look<'a, Map<String, Value>> {
    type Node = Look<'a>;
    type MemberName = &'a str;
    type MembersIter = Members<'a>;

    fn len(&self) -> usize {
        self.value.len()
    }

    #[inline]
    fn get(&self, key: &String) -> Option<Look<'a>> {
        self.charge(1);
        Object::<SerdeJson>::get(&self.value, key).map(|value| self.at(value))
    }

    #[inline]
    fn members(&self) -> Members<'a> {
        Members { members: self.value.iter(), meter: self.meter }
    }

    fn try_for_each_name_node<B>(
        &self,
        (): &mut (),
        mut call: impl FnMut(Look<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.value.keys().try_for_each(|name| {
            self.charge(2);
            call(Look { value: &Value::String(name.clone()), meter: self.meter })
        })
    }
}

/// The keys of an object with their values.
pub(super) struct Members<'a> {
    members: serde_json::map::Iter<'a>,
    meter: Option<&'a Meter>,
}

impl<'a> Iterator for Members<'a> {
    type Item = (&'a str, Look<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (name, value) = self.members.next()?;
        if let Some(meter) = self.meter {
            meter.charge_key(name);
        }
        Some((name.as_str(), Look { value, meter: self.meter }))
    }
}

impl<'a> Array<'a, Counted> for Look<'a, [Value]> {
    type Node = Look<'a>;
    type ElementsIter = Elements<'a>;

    fn len(&self) -> usize {
        self.value.len()
    }

    #[inline]
    fn elements(&self) -> Elements<'a> {
        Elements { elements: self.value.iter(), meter: self.meter }
    }

    fn is_unique(&self) -> bool {
        self.charge(40 * self.value.iter().map(weight).sum::<u64>());
        unique::is_unique(self.value)
    }
}

/// The items of a list.
pub(super) struct Elements<'a> {
    elements: std::slice::Iter<'a, Value>,
    meter: Option<&'a Meter>,
}

impl<'a> Iterator for Elements<'a> {
    type Item = Look<'a>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let value = Look { value: self.elements.next()?, meter: self.meter };
        value.charge(1);
        Some(value)
    }
}
