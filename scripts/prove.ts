// `npm run prove`: runs the proofs, then the unit tests and the limits with their full counts, the server's tests on both
// stores, and writes the results to bench/proofs.json. Arguments are passed to vitest and select proofs only.
import { programOf, runNode } from './processes.ts'

const args = process.argv.slice(2)
const proofs = await run('proof', ...args)
const others = proofs === 0 && args.length === 0 ? ['unit*', 'limits'] : []
const codes: number[] = [proofs]
for (const project of others) codes.push(await run(project))
process.exitCode = Math.max(...codes)

async function run(project: string, ...more: string[]): Promise<number> {
  const program = [programOf('vitest'), 'run', '--project', project, ...more]
  const { code } = await runNode(program, { env: { CADMUS_PROVE: '1' }, show: true })
  return code
}
