// What the web pages do in a browser: the list of headings, the search box, copying of code. The scripts
// that pkgdown has for these come from the network; this one works from a folder, too.
(function () {
  "use strict";

  function element(name, properties, children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...(children || []));
    return made;
  }

  // "On this page": beside the text, and on a narrow screen closed above it.
  function listHeadings() {
    const toc = document.getElementById("toc");
    const headings = Array.from(document.querySelectorAll("main h2[id], main h3[id]"));
    if (!toc || headings.length < 2) return;
    const list = element("ul", { className: "nav flex-column" });
    for (const heading of headings) {
      const link = element("a", { className: "nav-link", href: "#" + heading.id });
      for (const part of heading.childNodes) {
        if (!(part.classList && part.classList.contains("anchor"))) link.append(part.cloneNode(true));
      }
      list.append(element("li", { className: heading.tagName === "H3" ? "toc-inner" : "" }, [link]));
    }
    const closed = element("details", {}, [element("summary", { textContent: "On this page" }), list]);
    toc.replaceChildren(closed);
    const wide = window.matchMedia("(min-width: 768px)");
    const place = () => {
      closed.open = wide.matches;
      const header = document.querySelector("main .page-header");
      if (wide.matches || !header) document.querySelector("aside").append(toc);
      else header.after(toc);
    };
    wide.addEventListener("change", place);
    place();
    list.addEventListener("click", () => { closed.open = wide.matches; });
  }

  // The index is a script, because a page in a folder may not read other files.
  function loadIndex(root) {
    return new Promise((done, failed) => {
      document.head.append(element("script", {
        src: root + "search-index.js", onerror: failed,
        onload: () => done(window.searchIndex.filter((section) => section.what))
      }));
    });
  }

  // Sections that hold words of the query: those with most of them first, then those that have them in
  // their headings.
  function sectionsWith(index, query) {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const found = [];
    for (const section of index) {
      const heading = section.what.toLowerCase();
      const title = section.title.toLowerCase();
      const body = (section.text + " " + section.code).toLowerCase();
      let worth = 0;
      for (const word of words) {
        const here = 8 * heading.includes(word) + 4 * title.includes(word) + body.includes(word);
        worth += here && 100 + here;
      }
      if (worth > 0) found.push({ section: section, worth: worth });
    }
    return found.sort((a, b) => b.worth - a.worth).slice(0, 12).map((one) => one.section);
  }

  function result(section, root) {
    const within = section.title === section.what ? section.dir : section.what;
    return element("a", {
      className: "search-result", href: root + section.path.replace(/^\//, "") + "#" + section.id
    }, [element("strong", { textContent: section.title }), element("span", { textContent: within })]);
  }

  function offerSearch() {
    const box = document.getElementById("search-input");
    if (!box) return;
    const root = box.dataset.searchIndex.replace("search.json", "");
    const shown = element("div", { className: "search-results", hidden: true });
    box.setAttribute("aria-label", "Search");
    box.after(shown);
    let index;
    const search = async () => {
      index = index || loadIndex(root);
      const query = box.value.trim();
      const found = query.length < 2 ? [] : sectionsWith(await index, query);
      shown.replaceChildren(...found.map((one) => result(one, root)));
      if (!found.length) shown.append(element("span", { textContent: "Nothing found." }));
      shown.hidden = query.length < 2;
    };
    box.addEventListener("input", search);
    box.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const first = shown.querySelector("a");
      if (first) { location.href = first.href; shown.hidden = true; }
    });
    box.form.addEventListener("keydown", (event) => {
      if (event.key === "Escape") shown.hidden = true;
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      const stops = [box, ...shown.querySelectorAll("a")];
      const next = stops.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
      if (stops[next]) { stops[next].focus(); event.preventDefault(); }
    });
    document.addEventListener("click", (event) => {
      if (!box.form.contains(event.target) || shown.contains(event.target)) shown.hidden = true;
    });
    box.addEventListener("focus", () => { if (box.value.trim().length > 1) search(); });
  }

  function offerCopies() {
    if (!navigator.clipboard) return;
    for (const code of document.querySelectorAll("div.sourceCode")) {
      const button = element("button", { type: "button", className: "copy", textContent: "Copy" });
      button.addEventListener("click", async () => {
        const text = code.querySelector("pre").textContent;
        await navigator.clipboard.writeText(text.replace(/^#>.*\n?/gm, ""));
        button.textContent = "Copied";
        setTimeout(() => { button.textContent = "Copy"; }, 1500);
      });
      code.append(button);
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    listHeadings();
    offerSearch();
    offerCopies();
  });
})();
