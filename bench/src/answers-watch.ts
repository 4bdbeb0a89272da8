import { writeFileSync } from 'node:fs'
import { ServerResponse } from 'node:http'
import { isMainThread } from 'node:worker_threads'

/**
 * Preloaded into a server by `--import`. On SIGUSR2, writes to the file named by ANSWERS_WATCH how many responses of
 * more than a megabyte were written since the previous signal.
 */
const file = process.env['ANSWERS_WATCH']
const large = 1024 * 1024

if (isMainThread && file !== undefined) install(file)

function install(to: string): void {
  let count = 0
  const written = new WeakMap<ServerResponse, number>()
  const add = (answer: ServerResponse, part: unknown) => {
    const before = written.get(answer) ?? 0
    const after = before + (typeof part === 'string' || part instanceof Uint8Array ? part.length : 0)
    written.set(answer, after)
    if (before <= large && after > large) count += 1
  }
  for (const name of ['write', 'end'] as const) {
    const original: Function = ServerResponse.prototype[name]
    Object.assign(ServerResponse.prototype, {
      [name](this: ServerResponse, ...args: unknown[]): unknown {
        add(this, args[0])
        return Reflect.apply(original, this, args)
      },
    })
  }
  process.on('SIGUSR2', () => {
    writeFileSync(to, String(count))
    count = 0
  })
}
