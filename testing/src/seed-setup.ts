import fc from 'fast-check'
import { proofSeed } from './proof.ts'

// A run judges the same inputs as the last one: what fails can be repeated.
fc.configureGlobal({ seed: proofSeed() })
