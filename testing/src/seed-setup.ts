import fc from 'fast-check'
import { proofSeed } from './proof.ts'

// A fixed seed makes failures repeatable.
fc.configureGlobal({ seed: proofSeed() })
