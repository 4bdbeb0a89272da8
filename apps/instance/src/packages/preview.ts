import { setTimeout as wait } from 'node:timers/promises'
import { previewTimeout } from '../engine/alter-tables.ts'
import { previewStart } from '../engine/engine.ts'
import { forLog } from '../log.ts'
import { type LoadedPackage, modelOf, type Opener, ownerOf } from './open-package.ts'

/** Maximum characters of a warning. */
const maxLength = 500

/** Warnings if a start on the existing tables would be refused. */
export async function previewTexts({ databases, log }: Opener, loaded: LoadedPackage): Promise<string[]> {
  const model = modelOf(loaded)
  const late = new AbortController()
  try {
    const { settings } = databases.ofPackage({ ...loaded, model })
    const error = await Promise.race([
      previewStart(model, settings, ownerOf(loaded)),
      wait(previewTimeout, 'late' as const, { signal: late.signal, ref: false }),
    ])
    if (error === 'late') log.info({ package: loaded.name }, 'the preview of a package start timed out')
    return error === null || error === 'late' ? [] : [shorten(`Its start would be refused: ${error.message}`)]
  } catch (error) {
    // The start reports the problem.
    log.info({ package: loaded.name, error: forLog(error) }, 'the preview of a package start failed')
    return []
  } finally {
    late.abort()
  }
}

function shorten(text: string): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`.toWellFormed()
}
