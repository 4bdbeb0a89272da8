import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Child, startChild } from './children.ts'
import { freePort, Gone, waitFor } from './temporary.ts'

export interface ConsoleHost {
  readonly child: Child
  /** Starts a console with these settings and waits until it is ready. */
  start(port: number, env: Readonly<Record<string, string>>): Promise<void>
  stop(port: number): Promise<void>
  /** Advances the clock of the console at `port`. */
  advance(port: number, milliseconds: number): Promise<void>
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PROGRAM = join(ROOT, 'apps/server/src/testing/console-host.ts')
const TIMEOUT = 60_000

let shared: Promise<ConsoleHost> | undefined

/** The process that hosts the consoles of this one; restarted if it has ended. */
export async function sharedConsoleHost(env: Readonly<Record<string, string>>): Promise<ConsoleHost> {
  const running = await shared?.catch(() => undefined)
  if (running !== undefined && !hasEnded(running.child)) return running
  shared = startHost(env)
  return shared
}

async function startHost(env: Readonly<Record<string, string>>): Promise<ConsoleHost> {
  const control = await freePort()
  const child = startChild(process.execPath, [PROGRAM, String(control)], { cwd: ROOT, env: { ...env } })
  const send = async (method: string, port: number, body?: object | number): Promise<void> => {
    const url = `http://127.0.0.1:${control}/${port}`
    const answer = await fetch(url, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    if (!answer.ok) throw new Error(`The host of consoles answered ${answer.status}: ${await answer.text()}`)
  }
  await waitFor(async () => {
    if (hasEnded(child)) throw new Gone(`The host of consoles ended.\n${child.output()}`)
    // No console has this port: the request only checks that the host responds.
    await send('DELETE', 0)
  }, TIMEOUT)
  return {
    child,
    start: (port, settings) => send('PUT', port, settings),
    advance: (port, milliseconds) => send('POST', port, milliseconds),
    stop: async port => {
      if (!hasEnded(child)) await send('DELETE', port)
    },
  }
}

function hasEnded({ process: { exitCode, signalCode } }: Child): boolean {
  return exitCode !== null || signalCode !== null
}
