import { writeFileSync } from 'node:fs'
import { ServerResponse } from 'node:http'
import { isMainThread } from 'node:worker_threads'

/**
 * Goes into a server with `--import`. Says when asked by SIGUSR2, in the file that ANSWERS_WATCH names, how many answers of more than a megabyte
 * were given to connections since it was asked last.
 */
const file = process.env['ANSWERS_WATCH']
const large = 1024 * 1024

if (isMainThread && file !== undefined) watch(file)

function watch(to: string): void {
  let count = 0
  const given = new WeakMap<ServerResponse, number>()
  const add = (answer: ServerResponse, part: unknown) => {
    const before = given.get(answer) ?? 0
    const after = before + (typeof part === 'string' || part instanceof Uint8Array ? part.length : 0)
    given.set(answer, after)
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
