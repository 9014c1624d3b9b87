// The life of an agent in a thread of its own, which may end in the middle of it.

import { parentPort, workerData } from 'node:worker_threads'

import { Agent } from './agent.mjs'

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort)
process.on('unhandledRejection', (reason) => port.postMessage({ faults: [`unhandled rejection: ${reason?.stack ?? reason}`] }))

const agent = new Agent(workerData)
let told = 0
await agent.live((calls) => {
  if (calls - told < 20) return
  told = calls
  port.postMessage({ calls })
})
port.postMessage({ calls: agent.calls, faults: agent.faults, ends: agent.ends, done: true })
