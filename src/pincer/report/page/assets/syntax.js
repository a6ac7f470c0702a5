// Source text in colours: comments, strings, numbers, words of the language. Everything stays text.
(function () {
  "use strict";
  const WORDS = {
    c:
      "auto break case char const continue default do double else enum extern float for goto if inline int long register " +
      "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Bool bool " +
      "_Atomic _Thread_local assert true false NULL",
    gcl:
      "program const var control process init trans safety temporal fairness weak strong forall exists in int bool true " +
      "false nondet enabled taken",
    msvl:
      "and or not if then else while do skip empty more next prj frame alw sometimes som keep fin halt len await int " +
      "float char string struct function define return true false exists lbf",
  };
  const TOKEN =
    /(\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))|("(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)|(\b\d[\w.]*)|(^\s*#\s*\w+)|([A-Za-z_]\w*)/g;
  const CLASSES = [null, "comment", "string", "amount-of", "directive"];
  const LONGEST = 2000;
  const known = new Map(Object.entries(WORDS).map(([name, words]) => [name, new Set(words.split(" "))]));

  // The nodes of one line of text; `inside` says that it begins within a comment.
  pincer.highlighted = function (text, language, inside) {
    const words = known.get(language);
    if (!words || text.length > LONGEST) return [text];
    const nodes = [];
    let end = 0;
    if (inside) {
      end = text.includes("*/") ? text.indexOf("*/") + 2 : text.length;
      nodes.push(pincer.element("span", { class: "comment" }, text.slice(0, end)));
    }
    TOKEN.lastIndex = end;
    for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) {
      const kind = found[5] ? words.has(found[5]) && "keyword" : CLASSES[[1, 2, 3, 4].find((part) => found[part])];
      if (!kind) continue;
      if (found.index > end) nodes.push(text.slice(end, found.index));
      nodes.push(pincer.element("span", { class: kind }, found[0]));
      end = TOKEN.lastIndex;
    }
    if (end < text.length) nodes.push(text.slice(end));
    return nodes;
  };

  // Whether the text behind a line is in a comment that began in it or before.
  pincer.endsInComment = function (text, inside) {
    let rest = inside ? (text.includes("*/") ? text.slice(text.indexOf("*/") + 2) : null) : text;
    if (rest === null) return true;
    rest = rest.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\/.*|\/\*[^]*?\*\//g, "");
    return rest.includes("/*");
  };
})();
