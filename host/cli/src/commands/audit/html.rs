//! Text that is put into a page: names of files are hostile.

use std::fmt;

/// A text as characters of a page, in an element or in a quoted attribute.
pub(super) struct Text<'a>(pub(super) &'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some(place) = rest.find(['&', '<', '>', '"', '\'']) {
            f.write_str(&rest[..place])?;
            f.write_str(match rest.as_bytes()[place] {
                b'&' => "&amp;",
                b'<' => "&lt;",
                b'>' => "&gt;",
                b'"' => "&quot;",
                _ => "&#39;",
            })?;
            rest = &rest[place + 1..];
        }
        f.write_str(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::Text;

    #[test]
    fn nothing_of_a_text_is_markup() {
        let hostile = "<b a='1' c=\"2\">&amp;é</b>";
        let page = Text(hostile).to_string();
        let expected = "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;amp;é&lt;/b&gt;";
        assert_eq!(page, expected);
    }
}
