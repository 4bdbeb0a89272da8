import { beforeEach } from 'vitest'
import { takeUsedEngines } from './engine-versions.ts'

// A proof that did not hold leaves its engines to none.
beforeEach(() => void takeUsedEngines())
