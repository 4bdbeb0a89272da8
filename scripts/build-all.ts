import { buildInstance } from './instance-build.ts'
import { buildThreads } from './threads-build.ts'
import { buildWeb } from './web-build.ts'

/** Builds everything whose sources changed. Returns what was built, and the error message if a build failed. */
export async function buildAll(): Promise<{ built: string[]; problem?: string }> {
  const built: string[] = []
  for (const [name, build] of [
    ['the page', buildWeb],
    ['the threads of the server', buildThreads],
    ['the instance', buildInstance],
  ] as const) {
    const done = await build()
    if (done.problem !== undefined) return { built, problem: `Could not be built: ${name}.\n${done.problem}` }
    if (done.built) built.push(name)
  }
  return { built }
}
