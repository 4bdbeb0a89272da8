import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request as send } from 'node:http'
import type { Call, Caller } from './serve-calls.ts'

/** A server under measurement; `pid` is the process whose processor time counts. */
export type Server = { readonly root: string; readonly pid: number }

/** Milliseconds of processor time, and the latency of each answer. */
export type Measured = { readonly cpu: number; readonly times: readonly number[] }

const callers = 8
const agent = new Agent({ keepAlive: true, maxSockets: callers })

/**
 * Runs the given number of calls, eight at once, and measures the processor time of the server and the latency of each
 * answer.
 */
export async function measured({ root, pid }: Server, call: Caller, count: number): Promise<Measured> {
  const before = cpuOf(pid)
  const times: number[] = []
  let next = 0
  const caller = async () => {
    for (let at = next++; at < count; at = next++) {
      const began = performance.now()
      await answerOf(root, call(at), false)
      times.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return { cpu: cpuOf(pid) - before, times }
}

/** The text of an answer. Throws if it is an error. */
export async function tried({ root }: Server, call: Call): Promise<string> {
  const text = await answerOf(root, call, true)
  if (text.includes('"errors"')) throw new Error(`${call.path}: ${text}`)
  return text
}

export function p99({ times }: Measured): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
}

/** Microseconds per call. */
export function cpuOfOne({ cpu, times }: Measured): number {
  return (cpu / times.length) * 1000
}

function answerOf(root: string, { method, path, body, headers = {} }: Call, isRead: boolean): Promise<string> {
  return new Promise((done, reject) => {
    const sent = send(root + path, { method, agent, headers }, answer => {
      let text = ''
      if (isRead) answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      else answer.resume()
      answer.once('end', () =>
        answer.statusCode === 200 || answer.statusCode === 201
          ? done(text)
          : reject(new Error(`${path}: ${answer.statusCode} ${text}`)),
      )
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/** Milliseconds of all threads, including compilation and garbage collection (schedstat of Linux is in nanoseconds). */
export function cpuOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`).map(thread => {
    const [time = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
    return Number(time)
  })
  return threads.reduce((sum, time) => sum + time, 0) / 1e6
}
