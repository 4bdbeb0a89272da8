import { resolveModel } from '@cadmus/model/resolved-model'
import type { Problem } from '@cadmus/model/problem'
import { firstError, validate } from '@cadmus/model/validate'
import { writeDataModel, type DataModelNote } from '@cadmus/formats/data-model/write'
import type { Store } from '../store/database.ts'
import { modelAt } from './model-at.ts'
import type { ModelPlace } from './tasks.ts'

type Export = { name: string; files: ReadonlyMap<string, string>; notes: readonly DataModelNote[] }

/** A manifest as models, with joins if configured, or all problems if there is an error. */
export async function dataModelOf(store: Store, place: ModelPlace): Promise<Export | { problems: Problem[] }> {
  const { root, source, configuration } = await modelAt(store, place)
  const resolvedModel = resolveModel(root, source)
  const problems = validate(resolvedModel, { target: 'ENTITY_GLOOP_MODEL', configuration, databaseTypes: [] })
  if (firstError(problems) !== undefined) return { problems }
  const applyJoin = configuration?.configurationBuild.sqlConfiguration.applyJoin ?? false
  return { name: root.name, ...writeDataModel(resolvedModel, { applyJoin }) }
}

/** Joins the files into one text, followed by a line per note. */
export function dataModelText({ files, notes }: Export): string {
  const texts = [...files].map(([path, text]) => `// ${path}\n${text}`)
  const lines = notes.map(({ message, path }) => {
    const steps = path.filter(step => step.kind !== 'manifest').map(({ name }) => name.slice(0, 60))
    return `// ${[...(steps.length === 0 ? [] : [steps.join('.')]), message].join(': ').replaceAll(/\s+/g, ' ')}\n`
  })
  return [...texts, lines.join('')].join('\n')
}
