import { beforeEach } from 'vitest'
import { takeUsedEngines } from './engine-versions.ts'

// Discards the engines of a proof that failed.
beforeEach(() => void takeUsedEngines())
