// `npm run prove`: the proofs with their full counts, then the other tests with theirs, the server's on both stores; what the proofs held is
// written to bench/proofs.json. Arguments go to vitest, for the proofs alone.
import { programOf, runNode } from './processes.ts'

const args = process.argv.slice(2)
const proofs = await run('proof', ...args)
process.exitCode = proofs === 0 && args.length === 0 ? await run('unit*') : proofs

async function run(project: string, ...more: string[]): Promise<number> {
  const program = [programOf('vitest'), 'run', '--project', project, ...more]
  const { code } = await runNode(program, { env: { CADMUS_PROVE: '1' }, show: true })
  return code
}
