// Findings of a review, for hosts that list and colour them.

/** @typedef {import('../../index.d.ts').FindingPriority} FindingPriority */
/** @typedef {import('../../index.d.ts').FindingPriorityInfo} FindingPriorityInfo */

/** @type {Readonly<Record<FindingPriority, FindingPriorityInfo>>} */
const priorities = Object.freeze({
  P0: { ord: 0, symbol: 'status.error', color: 'error' },
  P1: { ord: 1, symbol: 'status.warning', color: 'warning' },
  P2: { ord: 2, symbol: 'status.warning', color: 'muted' },
  P3: { ord: 3, symbol: 'status.info', color: 'accent' },
})

/** The worst first. */
export const PRIORITY_LABELS = Object.freeze(/** @type {FindingPriority[]} */ (Object.keys(priorities)))

/**
 * Rank, symbol and colour of a priority; those of P3 for one that is none.
 * @param {FindingPriority} priority
 * @returns {FindingPriorityInfo}
 */
export function getPriorityInfo(priority) {
  return { ...(Object.hasOwn(priorities, priority) ? priorities[priority] : priorities.P3) }
}

/**
 * The details of a `report_finding` result, if that is what the value is.
 * @param {any} value
 * @returns {import('../../index.d.ts').ReportFindingDetails | undefined}
 */
export function parseReportFindingDetails(value) {
  if (typeof value !== 'object' || value === null) return undefined
  const { title, body, priority, confidence, file_path, line_start, line_end } = value
  const texts = [title, body, priority, file_path].every((field) => typeof field === 'string')
  const numbers = [confidence, line_start, line_end].every((field) => Number.isFinite(field))
  if (!texts || !numbers || !Object.hasOwn(priorities, priority)) return undefined
  return { title, body, priority, confidence, file_path, line_start, line_end }
}

/**
 * A finding with the rank of its priority.
 * @param {import('../../index.d.ts').ReportFindingDetails} details
 * @returns {import('../../index.d.ts').ReviewFinding}
 */
export function toReviewFinding(details) {
  return { ...details, priority: getPriorityInfo(details.priority).ord }
}
