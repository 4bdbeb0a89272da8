// `npm run prove`: the proofs with their full counts; what held is written to bench/proofs.json. Arguments go to vitest.
import { programOf, runNode } from './processes.ts'

const { code } = await runNode([programOf('vitest'), 'run', '--project', 'proof', ...process.argv.slice(2)], {
  env: { CADMUS_PROVE: '1' },
  show: true,
})
process.exitCode = code
