//! The places in a file where one token can replace another.

use anyhow::{Context, Result};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, BinOp, Expr, ExprBinary, ExprMethodCall, ExprUnary, ImplItemFn, ItemFn, ItemMod, UnOp};

/// An expression, and its replacement in a mutant.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    /// The place of the expression in the file, in bytes.
    pub(crate) range: Range<usize>,
    pub(crate) line: usize,
    pub(crate) original: String,
    pub(crate) mutated: String,
}

/// Returns the places in a file.
pub(crate) fn sites(text: &str) -> Result<Vec<Site>> {
    let file = syn::parse_file(text).context("the file cannot be parsed")?;
    let mut finder = Finder { text, starts: line_starts(text), found: Vec::new() };
    finder.visit_file(&file);
    Ok(finder.found)
}

fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

struct Finder<'t> {
    text: &'t str,
    starts: Vec<usize>,
    found: Vec<Site>,
}

impl Finder<'_> {
    fn range(&self, node: &impl Spanned) -> Range<usize> {
        let span = node.span();
        let at = |place: proc_macro2::LineColumn| {
            let start = self.starts[place.line - 1];
            let line = &self.text[start..];
            start + line.char_indices().nth(place.column).map_or(line.len(), |(at, _)| at)
        };
        at(span.start())..at(span.end())
    }

    /// Adds the site of an expression in which a token replaces another.
    fn add(&mut self, whole: &impl Spanned, token: &impl Spanned, other: &str) {
        let (range, token) = (self.range(whole), self.range(token));
        let original = self.text[range.clone()].to_owned();
        let mutated = [&self.text[range.start..token.start], other, &self.text[token.end..range.end]].concat();
        self.found.push(Site { range, line: whole.span().start().line, original, mutated });
    }
}

/// Returns the replacement of an operator, if there is one of the same type.
fn other_operator(operator: &BinOp) -> Option<&'static str> {
    Some(match operator {
        BinOp::Add(_) => "-",
        BinOp::Sub(_) => "+",
        BinOp::Mul(_) => "/",
        BinOp::Div(_) => "*",
        BinOp::And(_) => "||",
        BinOp::Or(_) => "&&",
        BinOp::Lt(_) => "<=",
        BinOp::Le(_) => "<",
        BinOp::Gt(_) => ">=",
        BinOp::Ge(_) => ">",
        BinOp::Eq(_) => "!=",
        BinOp::Ne(_) => "==",
        BinOp::BitAnd(_) => "|",
        BinOp::BitOr(_) => "&",
        _ => return None,
    })
}

/// Methods, each with its replacement in a mutant.
const METHODS: [(&str, &str); 12] = [
    ("min", "max"),
    ("max", "min"),
    ("next_up", "next_down"),
    ("next_down", "next_up"),
    ("any", "all"),
    ("all", "any"),
    ("simd_lt", "simd_le"),
    ("simd_le", "simd_lt"),
    ("simd_gt", "simd_ge"),
    ("simd_ge", "simd_gt"),
    ("is_lt", "is_le"),
    ("is_some", "is_none"),
];

/// Returns whether an expression binds names in a chain of conditions. Such an expression cannot be wrapped in another
/// one.
fn binds(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(ExprBinary { left, right, .. }) => binds(left) || binds(right),
        _ => false,
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || (attribute.path().is_ident("cfg")
                && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string().contains("test")))
    })
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if !is_for_tests(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        if function.sig.constness.is_none() && !is_for_tests(&function.attrs) {
            visit::visit_item_fn(self, function);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        if function.sig.constness.is_none() && !is_for_tests(&function.attrs) {
            visit::visit_impl_item_fn(self, function);
        }
    }

    // The compiler evaluates constants and types, so these cannot read the variable.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}

    fn visit_expr_binary(&mut self, binary: &'ast ExprBinary) {
        let has_names = binds(&binary.left) || binds(&binary.right);
        if let Some(other) = other_operator(&binary.op).filter(|_| !has_names) {
            self.add(binary, &binary.op, other);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast ExprUnary) {
        if matches!(unary.op, UnOp::Neg(_) | UnOp::Not(_)) && !matches!(*unary.expr, Expr::Lit(_)) {
            self.add(unary, &unary.op, "");
        }
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        if let Some((_, other)) = METHODS.iter().find(|(name, _)| call.method == name) {
            self.add(call, &call.method, other);
        }
        visit::visit_expr_method_call(self, call);
    }
}

#[cfg(test)]
mod tests {
    use super::sites;

    #[test]
    fn operators_of_code_that_runs_are_found() {
        let text = "const A: f32 = 1.0 + 2.0;\nconst fn c(x: u8) -> u8 { x + 1 }\n\
                    fn f(é: f32, b: f32) -> bool {\n    if let Some(x) = g() && x < é { return !h(b.min(é)); }\n    [0; 1 + 2].len() as f32 * b == -1.0\n}\n\
                    #[cfg(test)]\nmod tests { fn t() { 1 + 1; } }\n";
        let found: Vec<_> =
            sites(text).unwrap().into_iter().map(|site| (site.line, site.original, site.mutated)).collect();
        let expected = [
            (4, "x < é", "x <= é"),
            (4, "!h(b.min(é))", "h(b.min(é))"),
            (4, "b.min(é)", "b.max(é)"),
            (5, "[0; 1 + 2].len() as f32 * b == -1.0", "[0; 1 + 2].len() as f32 * b != -1.0"),
            (5, "[0; 1 + 2].len() as f32 * b", "[0; 1 + 2].len() as f32 / b"),
        ];
        assert_eq!(found, expected.map(|(line, original, mutated)| (line, original.to_owned(), mutated.to_owned())));
    }
}
