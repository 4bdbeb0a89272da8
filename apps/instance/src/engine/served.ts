import type { Api } from '@cadmus/model/api/api'
import type { Engine } from './engine.ts'

/** What a protocol asks of a package that runs. */
export type Served = { readonly api: Api; readonly engine: Engine }
