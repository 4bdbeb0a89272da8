import type { Api } from '@cadmus/model/api/api'
import type { Engine } from './engine.ts'

/** What a protocol asks of a package that runs. */
export type Served = {
  readonly api: Api
  readonly engine: Engine
  /** Whose it is: the owner's uid, or how the package's id names one. */
  readonly owner: string
}
