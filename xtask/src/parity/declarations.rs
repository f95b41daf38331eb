//! The names that a header, a stub or a TypeScript file declares. All of these files are read by words and indentation
//! alone.

/// The lines of a text without comments, in blocks. Each block begins with a line that is not indented.
pub(crate) struct Declarations(Vec<Vec<String>>);

impl Declarations {
    pub(crate) fn new(text: &str) -> Self {
        let mut blocks: Vec<Vec<String>> = Vec::new();
        for line in text.lines().filter(|line| !is_comment(line)) {
            match blocks.last_mut() {
                Some(block) if !is_head(line) => block.push(line.to_owned()),
                _ => blocks.push(vec![line.to_owned()]),
            }
        }
        Self(blocks)
    }

    /// Returns whether a name is declared. A name consists of a function and, in parentheses, words of its declaration. Or it consists of a type, one of the
    /// type's members, and words of the member's declaration.
    pub(crate) fn has(&self, name: &str) -> bool {
        let mut words = words(name);
        let Some(owner) = words.next() else { return false };
        let rest: Vec<&str> = words.collect();
        let has_rest = |lines: &[String], rest: &[&str]| rest.iter().all(|word| has_word(lines, word));
        self.0.iter().any(|block| match kind(block, owner) {
            None => false,
            Some(Kind::Function) => has_rest(block, &rest),
            Some(Kind::Type) => {
                rest.is_empty()
                    || members(block).any(|member| declares(&member[0], rest[0]) && has_rest(member, &rest[1..]))
            }
        })
    }
}

enum Kind {
    Function,
    Type,
}

/// Returns the kind of a block that declares a function or a type of this name; `None` for any other block. In C, the
/// name of a type is at the end.
fn kind(block: &[String], name: &str) -> Option<Kind> {
    let is = |begin: &str| {
        block.iter().filter(|line| indent(line) == 0).any(|line| {
            line.match_indices(begin)
                .any(|(at, _)| line[at + begin.len()..].split(|c: char| !is_of_word(c)).next() == Some(name))
        })
    };
    if ["class ", "struct ", "interface ", "} "].into_iter().any(is) {
        return Some(Kind::Type);
    }
    ["(", "<"].iter().any(|after| words_before(&block[0], after).any(|word| word == name)).then_some(Kind::Function)
}

/// Returns the members of a type, each with its lines.
fn members(block: &[String]) -> impl Iterator<Item = &[String]> {
    let depth = block.iter().map(|line| indent(line)).filter(|indent| *indent > 0).min().unwrap_or(0);
    let is_first = move |line: &String| indent(line) == depth && is_head(line.trim_start());
    let starts: Vec<usize> = (1..block.len()).filter(|at| is_first(&block[*at])).collect();
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([block.len()]).collect();
    starts.into_iter().zip(ends).map(|(start, end)| &block[start..end])
}

/// Returns whether a line declares a name, rather than uses it. Parameters and results come after the first parenthesis.
fn declares(line: &str, name: &str) -> bool {
    let line = line.find('(').map_or(line, |end| &line[..=end]);
    line.match_indices(name).any(|(at, _)| {
        let (before, after) = (line[..at].chars().next_back(), line[at + name.len()..].chars().next());
        !before.is_some_and(|c| is_of_word(c) || c == '.') && after.is_some_and(|c| "(<;:?[".contains(c))
    })
}

/// Returns whether a line that is not indented begins a declaration, rather than ends one or is an access specifier.
fn is_head(line: &str) -> bool {
    let is_access = ["public:", "protected:", "private:"].contains(&line);
    !is_access && !line.is_empty() && !line.starts_with([' ', '}', ')', ']'])
}

fn is_comment(line: &str) -> bool {
    ["//", "/*", "*", "#", "\"\"\""].iter().any(|start| line.trim_start().starts_with(start))
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn has_word(lines: &[String], word: &str) -> bool {
    lines.iter().any(|line| words(line).any(|other| other == word))
}

/// Returns the words of a line right before a mark.
fn words_before<'a>(line: &'a str, mark: &'a str) -> impl Iterator<Item = &'a str> {
    line.match_indices(mark).filter_map(|(at, _)| line[..at].rsplit(|c: char| !is_of_word(c)).next())
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_of_word(c)).filter(|word| !word.is_empty())
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::Declarations;

    fn check(text: &str, declared: &[&str], unknown: &[&str]) {
        let found = Declarations::new(text);
        assert!(declared.iter().all(|name| found.has(name)), "{declared:?}");
        assert!(unknown.iter().all(|name| !found.has(name)), "{unknown:?}");
    }

    #[test]
    fn names_of_c() {
        let header = "typedef struct {\n  int32_t inside;\n  float at[3];\n} HsFilter;\n\n// hs_old(\nHsStatus hs_cast(const HsScene *scene,\n                 const HsFilter *filter);\n";
        check(
            header,
            &["hs_cast", "hs_cast(filter)", "HsFilter.inside", "HsFilter.at"],
            &["hs_old", "hs_cas", "hs_cast(hit)", "HsFilter.out", "HsScene"],
        );
    }

    #[test]
    fn names_of_cpp() {
        let header = "class View {\npublic:\n    Answer<HsHit> cast(const HsRay& ray) const {\n        return ask(get(), &ray);\n    }\n\nprivate:\n    int end;\n};\n\
                      inline HsRay ray(const Vec3& a) { return a; }\n";
        check(header, &["View::cast", "View::end", "ray"], &["View::ask", "View::get", "View::ray", "cast"]);
    }

    #[test]
    fn names_of_python() {
        let stub = "class Scene:\n    def cast(\n        self,\n        inside: int = 0,\n    ) -> Hits:\n        \"\"\"Casts rays.\"\"\"\n\n    def keys(self) -> int: ...\n\n\
                    class Mesh:\n    def bounds(self): ...\n\ndef load(path: str): ...\n";
        check(
            stub,
            &["Scene.cast", "Scene.cast(inside)", "Mesh.bounds", "load(path)"],
            &["Scene.bounds", "Scene.keys(inside)", "Scene.inside", "Scene.Casts", "keys"],
        );
    }

    #[test]
    fn names_of_typescript() {
        let module = "export class Scene<K> {\n  cast(ray: RayLike): Hit<K> | null {\n    return this.handle.first(ray);\n  }\n\n  pair(a: K): { distance(): number } {\n  }\n}\n\n\
                      export interface Options {\n  readonly inside?: string;\n}\n";
        check(
            module,
            &["Scene.cast", "Scene.pair().distance()", "Options.inside"],
            &["Scene.first", "Scene.distance", "Scene.cast().distance()", "Option.inside"],
        );
    }
}
