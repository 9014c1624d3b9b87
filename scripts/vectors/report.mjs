// Prints what happened: each failure with a readable difference, one line for each file, one for everything.

/** Prints the results of a file and returns their counts. */
export function printFile(file, results) {
  const failed = results.filter(({ faults }) => faults?.length > 0)
  const notRun = results.filter(({ notRun }) => notRun !== undefined)
  for (const { id, faults } of failed) {
    console.log(`\n✗ ${file.title}  ${id}`)
    for (const fault of faults) console.log(indent(renderFault(fault), '  '))
  }
  if (failed.length > 0) console.log('')
  const counts = { passed: results.length - failed.length - notRun.length, failed: failed.length, notRun: notRun.length }
  console.log(`${file.title}: ${renderCounts(counts)}`)
  for (const [reason, count] of countedReasons(notRun)) console.log(`  ${count} × ${reason}`)
  return counts
}

/** Prints the last line. */
export function printTotal(counts) {
  console.log(renderCounts(counts))
}

function renderCounts({ passed, failed, notRun }) {
  return `${passed} passed, ${failed} failed, ${notRun} not run`
}

function countedReasons(results) {
  const counts = new Map()
  for (const { notRun } of results) counts.set(notRun, (counts.get(notRun) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)
}

function renderFault({ where, message, expected, actual }) {
  if (message !== undefined) return `${where}: ${message}`
  const isLong = [expected, actual].some((value) => typeof value === 'string' && value.includes('\n'))
  const [before, after] = isLong || bothLists(expected, actual) ? [lines(expected), lines(actual)] : [[show(expected)], [show(actual)]]
  return [`${where}: - expected, + actual`, ...difference(before, after)].join('\n')
}

function bothLists(a, b) {
  return Array.isArray(a) && Array.isArray(b)
}

function lines(value) {
  if (typeof value === 'string') return value.split('\n').map((line) => visible(line))
  return Array.isArray(value) ? value.map(show) : [show(value)]
}

const context = 2
const most = 40

/** Two lists of lines as one: what both have, `-` for what is missing, `+` for what is not expected. Far equal lines are left out. */
function difference(before, after) {
  let head = 0
  while (head < Math.min(before.length, after.length) && before[head] === after[head]) head++
  let tail = 0
  const shorter = Math.min(before.length, after.length) - head
  while (tail < shorter && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  const end = before.length - tail
  const rows = changes(before.slice(head, end), after.slice(head, after.length - tail))
  const first = Math.max(0, head - context)
  return [
    ...leftOut(first, 'equal'),
    ...before.slice(first, head).map((line) => `  ${line}`),
    ...rows.slice(0, most),
    ...leftOut(rows.length - most, 'more'),
    ...before.slice(end, end + context).map((line) => `  ${line}`),
    ...leftOut(tail - context, 'equal'),
  ]
}

function leftOut(count, what) {
  return count > 0 ? [`  … ${count} ${what} ${count === 1 ? 'line' : 'lines'}`] : []
}

/** The changed part by longest common subsequence; side by side where that would take too long. */
function changes(before, after) {
  if (before.length * after.length > 1_000_000) return [...before.map((line) => `- ${line}`), ...after.map((line) => `+ ${line}`)]
  const common = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      common[i][j] = before[i] === after[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1])
    }
  }
  const rows = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      rows.push(`  ${before[i++]}`)
      j++
    } else if (j === after.length || (i < before.length && common[i + 1][j] >= common[i][j + 1])) rows.push(`- ${before[i++]}`)
    else rows.push(`+ ${after[j++]}`)
  }
  return rows
}

function show(value) {
  return visible(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'))
}

/** Control characters and blanks at the end of a line in a form that can be seen. */
function visible(line) {
  const clipped = line.length > 600 ? `${line.slice(0, 600)}… (${line.length} characters)` : line
  return clipped
    .replace(/[\u0000-\u001f\u007f\ufeff]/g, (character) => JSON.stringify(character).slice(1, -1).replace('\ufeff', '\\ufeff'))
    .replace(/ +$/, (blanks) => '·'.repeat(blanks.length))
}

function indent(text, by) {
  return text.split('\n').map((line) => by + line).join('\n')
}
