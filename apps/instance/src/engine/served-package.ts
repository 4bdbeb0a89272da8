import type { Api } from '@cadmus/model/api/api'
import type { Engine } from './engine.ts'

/** A running package as protocols see it. */
export type ServedPackage = {
  readonly api: Api
  readonly engine: Engine
  /** The uid of the owner; null in packages of earlier releases. */
  readonly owner: string | null
  /** The organisation part of the package id. */
  readonly organisation: string
}
