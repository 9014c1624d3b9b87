// Rows as a chart: a bar for each peer, to the right where we are faster, to the left where we are slower. SVG without
// scripts or fonts of its own, readable on light and dark.

const WIDTH = 900
const LABEL = 400
const ROW = 20
const TOP = 40
const MIDDLE = LABEL + 120
/** Pixels for ten times as fast. */
const DECADE = 100

/**
 * @param {import('./harness.mjs').Row[]} rows
 * @returns {string}
 */
export function chart(rows) {
  const bars = rows.flatMap(({ workload, ratio }) => Object.entries(ratio).map(([peer, value]) => ({ workload, peer, speed: 1 / value })))
  const height = TOP + bars.length * ROW + 20
  const marks = [0.1, 1, 10, 100, 1000].map((speed) => {
    const x = at(speed)
    return `<line class="grid" x1="${x}" x2="${x}" y1="${TOP - 8}" y2="${height - 12}"/><text class="mark" x="${x}" y="${TOP - 14}">${speed} ×</text>`
  })
  const drawn = bars.map(({ workload, peer, speed }, index) => {
    const y = TOP + index * ROW
    const [from, to] = [Math.min(MIDDLE, at(speed)), Math.max(MIDDLE, at(speed))]
    const words = `${speed >= 10 ? speed.toFixed(0) : speed.toFixed(2)} ×`
    return (
      `<text class="label" x="${LABEL - 10}" y="${y + 13}">${escape(workload)} <tspan class="peer">${escape(peer)}</tspan></text>` +
      `<rect class="${speed >= 1 ? 'faster' : 'slower'}" x="${from.toFixed(1)}" y="${y + 3}" width="${Math.max(1, to - from).toFixed(1)}" height="${ROW - 7}"/>` +
      `<text class="value" x="${to + 5}" y="${y + 13}">${words}</text>`
    )
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    '<title>How many times as fast as each peer, on a logarithmic scale</title>',
    `<style>${style}</style>`,
    ...marks,
    ...drawn,
    '</svg>',
    '',
  ].join('\n')
}

const style = `
text { font: 12px system-ui, sans-serif; fill: #1f2328 }
.label { text-anchor: end } .mark { text-anchor: middle } .peer, .mark { fill: #59636e }
.grid { stroke: #d1d9e0 } .faster { fill: #1a7f37 } .slower { fill: #cf222e }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc } .peer, .mark { fill: #9198a1 }
.grid { stroke: #3d444d } .faster { fill: #3fb950 } .slower { fill: #f85149 }
}`

/** Where a speed stands, on a logarithmic scale that ends at the edges. @param {number} speed */
function at(speed) {
  const x = MIDDLE + Math.log10(speed) * DECADE
  return Math.round(Math.min(WIDTH - 60, Math.max(LABEL + 10, x)) * 10) / 10
}

/** @param {string} text */
function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
