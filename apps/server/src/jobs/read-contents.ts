import { ImportError } from '@cadmus/formats/import-error'
import { reviewLimits } from '@cadmus/model/import-review-limits'
import { limits } from '@cadmus/model/limits'
import { reviewTexts } from '@cadmus/model/messages/import-review'
import type {
  CheckOutcome,
  ContentsOutcome,
  ImportInput,
  ImportLine,
  ReadEntity,
} from '../commands/manifest/import-messages.ts'
import { importLines } from './import-lines.ts'
import { storableThing } from './import-plan.ts'
import { visibleLine } from './packed-entities.ts'
import { chosenEntities, modelOf, refusalLines } from './read-import.ts'

/** Columns of an import into a manifest, whose contents are in memory together. */
const maxColumns = 100_000

/** Reads an upload for an import into an existing manifest: its entities, with one key each, and the report. */
export async function readContentsFile(input: ImportInput): Promise<ContentsOutcome> {
  try {
    const indexes: number[] = []
    const { model, entities: packed } = modelOf(input, (_, index) => void indexes.push(index))
    refuseMany(
      indexes.length,
      packed.places.reduce((sum, { columns }) => sum + columns.length / 2, 0),
    )
    const lines: ImportLine[] = []
    const entities = [...packed.unpacked()].map((read, at): ReadEntity => {
      const { entity, message } = packed.keys.withSingleKey(read)
      const { name, lines: own } = storableThing({ name: entity.name, path: entity.corpusPath })
      lines.push(...own)
      if (message !== undefined) lines.push({ severity: 'warning', kind: 'changed', path: entity.corpusPath, message })
      return { index: indexes[at] ?? at, entity: { ...entity, name } }
    })
    const all = importLines(model, lines)
    return {
      refused: null,
      entities,
      enumerations: model.manifests.flatMap(({ enumerations }) => enumerations),
      lines: all.slice(0, limits.importReportLines).map(visibleLine),
      total: all.length,
      database: model.database,
      omissions: model.omissions,
    }
  } catch (error) {
    if (error instanceof ImportError) return { refused: error.message, roots: error.roots }
    throw error
  } finally {
    input.port.close()
  }
}

/** Reads an upload without what is left out, and says what exports would refuse of the rest. */
export async function checkContentsFile(input: ImportInput): Promise<CheckOutcome> {
  try {
    const chosen = chosenEntities(input)
    const { model } = modelOf(input, chosen.take)
    const lines = refusalLines(model, chosen.entities)
    return { refused: null, problems: lines.slice(0, reviewLimits.page).map(visibleLine), total: lines.length }
  } catch (error) {
    if (error instanceof ImportError) return { refused: error.message, roots: error.roots }
    throw error
  } finally {
    input.port.close()
  }
}

function refuseMany(entities: number, columns: number): void {
  const most = reviewLimits.into
  if (entities > most) throw new ImportError('too-large', reviewTexts.tooManyInto(most))
  if (columns > maxColumns) throw new ImportError('too-large', reviewTexts.tooLargeInto)
}
