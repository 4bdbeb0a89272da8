import { newConfiguration } from '@cadmus/model/configuration'
import type { Migration } from '@cadmus/model/contract/comparison'
import { newSteps, stepsBetween } from '@cadmus/model/data-steps'
import { type DatabaseType, databaseTypeTable } from '@cadmus/model/database-types'
import { apiBreakTexts } from '@cadmus/model/messages/packages'
import { consequenceTexts, sideName } from '@cadmus/model/messages/compare-consequences'
import { migrationTexts as texts } from '@cadmus/model/messages/migration'
import { migrationGrades } from '@cadmus/model/migration-step'
import { maxSchemaSteps, maxStepText } from '@cadmus/model/schema-step'
import { validate } from '@cadmus/model/validate'
import { withSameChoices } from '@cadmus/sql/choice-options'
import { migrationPlan, type MigrationPlan } from '@cadmus/sql/migrate/plan'
import { migrationScript } from '@cadmus/sql/migrate/script'
import { databaseStatements } from '@cadmus/sql/script'
import type { Schema } from '@cadmus/sql/tree'
import type { MigrationOptions } from '../tasks.ts'
import { bounded, maxProblems } from './bounded.ts'
import { unpairedOf } from './script-side.ts'
import { attempt } from './of-model.ts'
import type { SideModel, Sides } from './sides.ts'

/** In characters: a script beyond it is not answered. */
const maxScript = 4 * 1024 * 1024
/** Steps in the head of a script. */
const maxTitles = 100

/** The script by which a person changes a database that was made from the exported schema of one side. Never throws because of a model. */
export function migrationOf(
  sides: Sides,
  { database, direction, naming, isScript = false }: MigrationOptions & { isScript?: boolean },
): Migration {
  const [old, now] = [schemaOf(sides.before, database), schemaOf(sides.after, database)]
  const problems = [
    ...bounded(old.problems, maxProblems).map(problem => consequenceTexts.ofSide.before(sides.before.shown, problem)),
    ...bounded(now.problems, maxProblems).map(problem => consequenceTexts.ofSide.after(sides.after.shown, problem)),
  ]
  const unpaired = isScript ? unpairedOf(sides.before.resolvedModel, sides.after.resolvedModel) : []
  const dataSteps = newSteps(sides.before.resolvedModel, sides.after.resolvedModel)
  if (!old.schema || !now.schema) return { problems, refused: [], unpaired, dataSteps, steps: [], script: null }
  const [from, to] = direction === 'up' ? [sides.before, sides.after] : [sides.after, sides.before]
  const [before, target] = direction === 'up' ? [old.schema, now.schema] : [now.schema, old.schema]
  const after = withSameChoices(before, target)
  if (!after)
    return { problems: [...problems, texts.choices], refused: [], unpaired, dataSteps, steps: [], script: null }
  const plan = migrationPlan(before, after, database, stepsBetween(from.resolvedModel, to.resolvedModel))
  const refused = bounded(plan.refused, maxSchemaSteps)
  const steps = stepsOf(plan)
  if (refused.length > 0) return { problems, refused, unpaired, dataSteps, steps, script: null }
  const title = texts.title(sideName(from.shown), sideName(to.shown), databaseTypeTable[database].label)
  const lines = plan.steps.slice(0, maxTitles).map(({ grade, text }) => `${texts.grades[grade].short}: ${text}`)
  const text = migrationScript(plan, database, [title, ...lines])
  if (text.length > maxScript)
    return { problems: [texts.tooLong(maxScript)], refused, unpaired, dataSteps, steps, script: null }
  return {
    problems,
    refused,
    unpaired,
    dataSteps,
    steps,
    script: { fileName: fileName(sides, { database, direction, naming }), text },
  }
}

/** Null if a side cannot be exported, as an export says. */
function schemaOf(
  { resolvedModel, configuration }: SideModel,
  database: DatabaseType,
): { schema: Schema | null; problems: readonly string[] } {
  const settings = configuration ?? newConfiguration(resolvedModel.root.name)
  const errors = validate(resolvedModel, { target: 'DB_STRUCTURE', configuration: settings }).filter(
    ({ severity }) => severity === 'error',
  )
  if (errors.length > 0) return { schema: null, problems: errors.map(({ message }) => message) }
  const thrown = new Set<string>()
  const { sqlConfiguration, sqlExport } = settings.configurationBuild
  const options = { ...sqlConfiguration, sqlExport }
  const schema = attempt(() => databaseStatements(resolvedModel, database, options).schema, thrown)
  return { schema, problems: [...thrown] }
}

/** Those that lose data first. */
function stepsOf({ steps }: MigrationPlan): Migration['steps'] {
  const sorted = migrationGrades.toReversed().flatMap(grade => steps.filter(step => step.grade === grade))
  const listed = sorted.slice(0, maxSchemaSteps).map(step => ({
    ...step,
    key: step.question === null ? null : step.key,
    entity: step.entity.slice(0, maxStepText.name),
    attribute: step.attribute.slice(0, maxStepText.name),
    text: step.text.slice(0, maxStepText.text),
  }))
  const next = sorted[maxSchemaSteps]
  if (next === undefined) return listed
  const more = apiBreakTexts.more(sorted.length - maxSchemaSteps)
  return [...listed, { grade: next.grade, entity: '', attribute: '', text: more, question: null, key: null }]
}

/** Flyway reads the version of a file from its name. */
function fileName({ before, after }: Sides, { database, direction, naming }: MigrationOptions): string {
  const plain = (text: string) => text.replace(/[^A-Za-z0-9.]+/g, '_').slice(0, 80)
  const name = plain(after.shown.name)
  const [old, now] = [before, after].map(({ shown }) => plain(shown.packageVersion ?? shown.version))
  if (naming === 'flyway')
    return `${direction === 'up' ? 'V' : 'U'}${now?.replaceAll('_', '.')}__${name}_from_${old}.sql`
  const [from, to] = direction === 'up' ? [old, now] : [now, old]
  return `${name}_${from}_to_${to}_${database}.sql`
}
