// Loading a skill. The engine finds and reads it; the message goes through the host's bridge.

import native from '../native.cjs'
import { throwIfAborted, ToolError } from '../errors.js'
import { toJson } from '../json.js'
import { checkSession } from '../session.js'
import { callNative } from '../signal.js'
import { argumentsOf } from './decided-tool.js'
import { toolIdentity, toResult } from './native-tool.js'

/** @typedef {import('../../../index.d.ts').ToolSession} ToolSession */

/** Loads the instructions of a skill. */
export class SkillTool {
  /** @param {ToolSession} session */
  constructor(session) {
    checkSession(session)
    const tool = /** @type {any} */ (this)
    Object.assign(tool, toolIdentity('skill'))
    tool.execute = async (/** @type {string} */ _toolCallId, /** @type {unknown} */ params, /** @type {AbortSignal | undefined} */ signal) => {
      const arguments_ = argumentsOf(params)
      const { outcome, state } = await decided(session, arguments_, signal)
      const result = toResult(outcome)
      const { content, handoff } = JSON.parse(/** @type {string} */ (state))
      throwIfAborted(signal)
      if (handoff) await session.handoffSkill?.(handoff, result.details.name)
      await bridge(session)(
        { customType: 'skill', content, display: true, attribution: 'user', details: result.details },
        { deliverAs: 'steer' },
      )
      return result
    }
  }
}

/**
 * The decision; where the skill is unknown, once more after the host has looked for skills again.
 * @param {ToolSession} session
 * @param {string} arguments_
 * @param {AbortSignal} [signal]
 */
async function decided(session, arguments_, signal) {
  const decide = () => callNative(signal, (handle) => native.decideSkill(arguments_, toJson(factsOf(session), 'facts'), handle))
  try {
    return await decide()
  } catch (error) {
    if (/** @type {any} */ (error)?.code !== 'skill_unknown' || typeof session.discoverSkills !== 'function') throw error
    await session.discoverSkills()
    return decide()
  }
}

/** @param {ToolSession} session */
function factsOf(session) {
  const { skills = [] } = session
  const active = session.getActiveSkill?.()
  return {
    skills: skills.map(({ name, path, filePath, content }) => ({ name, path: path ?? filePath ?? '', ...(content !== undefined && { content }) })),
    active: active ? { name: active.name, ...(active.phase !== undefined && { phase: active.phase }) } : null,
  }
}

/** @param {ToolSession} session */
function bridge(session) {
  if (typeof session.sendCustomMessage === 'function') return session.sendCustomMessage.bind(session)
  const reason = 'the session has no bridge for messages'
  throw new ToolError(`The tool \`skill\` is not available: ${reason}`, { code: 'tool_unavailable', tool: 'skill', reason })
}
