import type { PackageModel } from '@cadmus/model/api/package-model'
import type { DatabaseSettings } from '../drivers/settings.ts'
import { type Engine, OperationError } from './engine.ts'

/** Until operations become SQL here, a package is loaded and not started, and says so. */
export async function openEngine(_model: PackageModel, _database: DatabaseSettings): Promise<Engine> {
  throw new OperationError({ kind: 'invalid', message: 'This instance loads packages, and does not run them yet.' })
}
