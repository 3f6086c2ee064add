// A position as a picture to send: what is seen, as the browser draws it, in a file.

/** How many dots of the picture stand for one of the screen. */
const DOTS = 2;
/** How much of the page there is around it. */
const EDGE = 8;

/** Saves the table, what is above it included, as a PNG. */
async function savePicture({ left, felt }, name) {
  const from = left.getBoundingClientRect();
  const width = from.width;
  const height = felt.getBoundingClientRect().bottom - from.top;
  const drawn = new Image();
  drawn.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(asSvg(left, width, height))}`;
  await drawn.decode();
  const canvas = make("canvas", { width: (width + 2 * EDGE) * DOTS, height: (height + 2 * EDGE) * DOTS });
  const brush = canvas.getContext("2d");
  brush.fillStyle = getComputedStyle(left).getPropertyValue("--page");
  brush.fillRect(0, 0, canvas.width, canvas.height);
  brush.scale(DOTS, DOTS);
  brush.drawImage(drawn, EDGE, EDGE);
  const file = URL.createObjectURL(await new Promise((done) => { canvas.toBlob(done); }));
  make("a", { href: file, download: `${name.replace(/[^\w.-]+/gu, "-")}.png` }).click();
  URL.revokeObjectURL(file);
}

/** Returns an element with its styles as an SVG; its page is as large as the window, for whose
 * size the styles were chosen. */
function asSvg(left, width, height) {
  const root = left.getRootNode();
  const rules = [...root.styleSheets, ...root.adoptedStyleSheets]
    .flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText)).join("\n");
  const seen = getComputedStyle(left);
  let held = left.cloneNode(true);
  held.style.cssText = `width:${width}px;box-sizing:border-box;margin:0`;
  for (const each of held.querySelectorAll(".controls, .ways")) each.remove();
  for (let above = left.parentElement; above; above = above.parentElement) {
    const shell = above.cloneNode(false);
    shell.append(held);
    held = shell;
    if (above.classList.contains("card-table")) break;
    shell.style.display = "contents";
  }
  const given = [...new Set(rules.match(/--st-[\w-]+/gu))]
    .map((name) => `${name}:${seen.getPropertyValue(name)}`);
  held.style.cssText += `;${given.join(";")};color-scheme:${seen.colorScheme};font-size:${seen.fontSize}`;
  const svg = draw("svg", { width: Math.max(width, innerWidth), height: Math.max(height, innerHeight) });
  const inside = draw("foreignObject", { width, height });
  inside.append(make("style", {}, rules, "* { animation: none !important; }"), held);
  svg.append(inside);
  return new XMLSerializer().serializeToString(svg);
}
