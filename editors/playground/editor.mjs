// The editor of `pincer serve`: CodeMirror with the languages of Pincer, behind the few functions that the page needs.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { c } from "@codemirror/legacy-modes/mode/clike";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, GutterMarker, gutterLineClass, highlightActiveLine, keymap, lineNumbers, WidgetType } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const GCL =
  "program const var control process init trans safety temporal fairness weak strong forall exists in int bool true false nondet enabled";
const MSVL =
  "and or if then else while do skip empty more next prj frame alw sometimes som keep fin halt len await int float char string struct function define return true false";
const PPTL = " property";

// A language of words, numbers, strings and comments.
function simple(words) {
  const known = new Set(words.split(" "));
  return StreamLanguage.define({
    startState: () => ({ comment: false }),
    token(stream, state) {
      if (state.comment || stream.match("/*")) {
        state.comment = !stream.match(/^.*?\*\//);
        if (state.comment) stream.skipToEnd();
        return "comment";
      }
      if (stream.match(/^\/\/.*/)) return "comment";
      if (stream.match(/^"(?:\\.|[^"\\])*"?/)) return "string";
      if (stream.match(/^\d[\w.]*/)) return "number";
      const word = stream.match(/^[A-Za-z_]\w*/);
      if (word) return known.has(word[0]) ? "keyword" : "variableName";
      stream.next();
      return null;
    },
    languageData: { commentTokens: { line: "//" } },
  });
}

const LANGUAGES = { c: StreamLanguage.define(c), i: StreamLanguage.define(c), gcl: simple(GCL), m: simple(MSVL + PPTL) };
const COLOURS = HighlightStyle.define([
  { tag: tags.comment, class: "code-comment" },
  { tag: tags.string, class: "code-string" },
  { tag: tags.number, class: "code-number" },
  { tag: [tags.keyword, tags.typeName, tags.bool, tags.null], class: "code-keyword" },
  { tag: tags.meta, class: "code-keyword" },
]);

class Remark extends WidgetType {
  constructor(text, kind) {
    super();
    this.text = text;
    this.kind = kind;
  }
  eq(other) {
    return other.text === this.text && other.kind === this.kind;
  }
  toDOM() {
    const made = document.createElement("div");
    made.className = "remark " + this.kind;
    made.textContent = this.text;
    return made;
  }
}

class Marked extends GutterMarker {
  constructor(kind) {
    super();
    this.elementClass = "marked " + kind;
  }
}

const setRemarks = StateEffect.define();
const setCurrent = StateEffect.define();
const current = StateField.define({
  create: () => Decoration.none,
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setRemarks)) return Decoration.none;
      if (effect.is(setCurrent)) return currentLine(transaction.state.doc, effect.value);
    }
    return value.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

function currentLine(doc, line) {
  if (line < 1 || line > doc.lines) return Decoration.none;
  return Decoration.set([Decoration.line({ class: "current-step" }).range(doc.line(line).from)]);
}

const remarks = StateField.define({
  create: () => ({ shown: Decoration.none, gutter: RangeSet.empty }),
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setRemarks)) return decorated(transaction.state.doc, effect.value);
    return { shown: value.shown.map(transaction.changes), gutter: value.gutter.map(transaction.changes) };
  },
  provide: (field) => [
    EditorView.decorations.from(field, (value) => value.shown),
    gutterLineClass.from(field, (value) => value.gutter),
  ],
});

function decorated(doc, list) {
  const shown = [];
  const gutter = [];
  for (const { line, text, kind } of list) {
    if (!Number.isInteger(line) || line < 1 || line > doc.lines) continue;
    const at = doc.line(line);
    shown.push(Decoration.line({ class: "marked " + kind }).range(at.from));
    if (text) shown.push(Decoration.widget({ widget: new Remark(text, kind), side: 1, block: true }).range(at.to));
    gutter.push(new Marked(kind).range(at.from));
  }
  return { shown: Decoration.set(shown, true), gutter: RangeSet.of(gutter, true) };
}

// Put an editor into `parent`; `nonce` lets its style pass the policy of the page.
window.makeEditor = function (parent, nonce, changed) {
  const language = new Compartment();
  const view = new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        EditorView.cspNonce.of(nonce),
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        syntaxHighlighting(COLOURS),
        indentUnit.of("    "),
        remarks,
        current,
        language.of([]),
        keymap.of([...defaultKeymap, ...searchKeymap, ...historyKeymap].filter((one) => one.key !== "Mod-Enter")),
        EditorView.contentAttributes.of({ id: "text", tabindex: "0", "aria-label": "Program text", spellcheck: "false" }),
        EditorView.updateListener.of((update) => update.docChanged && changed()),
      ],
    }),
  });
  return {
    view,
    get text() {
      return view.state.doc.toString();
    },
    set text(value) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value }, selection: { anchor: 0 }, scrollIntoView: true });
    },
    set language(ending) {
      view.dispatch({ effects: language.reconfigure(LANGUAGES[ending] ?? []) });
    },
    // Each remark is {line, text, kind}.
    set remarks(list) {
      view.dispatch({ effects: setRemarks.of(list) });
    },
    // The line of the step that is looked at.
    set current(line) {
      const effects = [setCurrent.of(line)];
      if (line >= 1 && line <= view.state.doc.lines) {
        effects.push(EditorView.scrollIntoView(view.state.doc.line(line).from, { y: "nearest", yMargin: 60 }));
      }
      view.dispatch({ effects });
    },
    goTo(line, column = 1) {
      const at = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines)));
      const anchor = Math.min(at.from + column - 1, at.to);
      view.dispatch({ selection: { anchor, head: at.to }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    },
    focus: () => view.focus(),
  };
};
