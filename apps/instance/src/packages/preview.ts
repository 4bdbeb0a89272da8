import { setTimeout as wait } from 'node:timers/promises'
import { foresight } from '../engine/alter-tables.ts'
import { foreseen } from '../engine/engine.ts'
import { forLog } from '../log.ts'
import { type LoadedPackage, modelOf, type Opener, ownerOf } from './open-package.ts'

/** What is told beside a state, in characters. */
const longestText = 500

/** What whoever starts the package would be told, where it would not start on the tables as they are. */
export async function foreseenTexts({ databases, log }: Opener, loaded: LoadedPackage): Promise<string[]> {
  const model = modelOf(loaded)
  const late = new AbortController()
  try {
    const { settings } = databases.ofPackage({ ...loaded, model })
    const error = await Promise.race([
      foreseen(model, settings, ownerOf(loaded)),
      wait(foresight, 'late' as const, { signal: late.signal, ref: false }),
    ])
    if (error === 'late') log.info({ package: loaded.name }, 'whether a package would start took too long to find out')
    return error === null || error === 'late' ? [] : [brief(`Its start would be refused: ${error.message}`)]
  } catch (error) {
    // It says so itself when it is started.
    log.info({ package: loaded.name, error: forLog(error) }, 'it is not known whether a package would start')
    return []
  } finally {
    late.abort()
  }
}

function brief(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText - 1)}…`.toWellFormed()
}
