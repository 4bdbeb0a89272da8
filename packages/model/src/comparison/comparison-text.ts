import { type Change, fromTo, sentence } from '../compare.ts'
import type { Comparison, Consequences, EntityComparison, ScopeChange } from '../contract/comparison.ts'
import { entityChangeKinds } from '../contract/comparison.ts'
import { formatCount } from '../display.ts'
import { compareTexts } from '../messages/compare.ts'
import { comparisonTexts as texts, consequenceTexts, sideName } from '../messages/compare-consequences.ts'
import { firstTexts } from '../messages/first-load.ts'
import type { ProblemStep } from '../problem.ts'
import { codeBlockMarkdown, codeMarkdown as code, plainMarkdown } from './markdown.ts'
import { scopeWords } from './scope-words.ts'

/**
 * A comparison as Markdown for a review, the same for the same input. Names and values are escaped, so that they
 * cannot change its structure. `consequences` is null if they were not worked out.
 */
export function comparisonText(comparison: Comparison, consequences: Consequences | null): string {
  const { before, after, entities, more } = comparison
  const blocks = [
    `# ${texts.title(code(sideName(before)), code(sideName(after)))}`,
    texts.counts(countsOf(entities), comparison.same),
    ...section(texts.manifest, comparison.manifest.map(fieldLine)),
    ...section(
      compareTexts.list.subManifests,
      comparison.subManifests.map(({ kind, before: from, after: to }) => {
        const step = { kind: 'manifest', id: -1, name: kind === 'removed' ? from : to } as const
        return changeLine(kind === 'renamed' ? { kind, step, before: from, after: to } : { kind, step })
      }),
    ),
    ...section(compareTexts.list.configuration, comparison.configuration.map(fieldLine)),
    ...[...Map.groupBy(entities, manifestOf)].flatMap(([manifest, members]) => [
      `## ${manifest === '' ? texts.outside : texts.entitiesOf(code(manifest))}`,
      ...members.flatMap(entityBlocks),
    ]),
    ...(more > 0 ? [texts.more(more)] : []),
    ...(consequences === null ? [] : consequenceBlocks(consequences)),
  ]
  return `${blocks.join('\n\n')}\n`
}

function countsOf(entities: readonly EntityComparison[]): string[] {
  return entityChangeKinds.flatMap(kind => {
    const count = entities.filter(({ kinds }) => kinds.includes(kind)).length
    return count === 0 ? [] : [`${formatCount(count)} ${compareTexts.kinds[kind]}`]
  })
}

function manifestOf({ before, after }: EntityComparison): string {
  return (after ?? before)?.manifest ?? ''
}

function entityBlocks({ before, after, kinds, changes }: EntityComparison): string[] {
  const one = kinds.find(kind => kind === 'added' || kind === 'removed')
  const name = code((after ?? before)?.name ?? '')
  if (one !== undefined) return [`### ${name} (${compareTexts.kinds[one]})`]
  const manifests = [before, after].map(place => (place?.manifest ? code(place.manifest) : texts.nowhere))
  const moved = kinds.includes('moved') ? [texts.moved(manifests[0] ?? '', manifests[1] ?? '')] : []
  return [`### ${name}`, listOf([...moved, ...changes.map(changeLine)])]
}

function fieldLine(difference: Comparison['manifest'][number]): string {
  const { path, field } = difference
  return texts.changed(code(path === '' ? field : `${path}.${field}`), fromTo(difference, code))
}

function changeLine(change: Change<ProblemStep>): string {
  const text = sentence(change, code)
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

function consequenceBlocks({ problems, schema, api, scopes }: Consequences): string[] {
  const { statements } = schema
  const plain = (lines: readonly string[]) => lines.map(line => plainMarkdown(line))
  const { grades } = firstTexts.packages.view.dataLoss
  const block = statements === null || statements.length === 0 ? [] : [`${statements.join(';\n')};`]
  return [
    ...section(texts.unresolved, plain(problems)),
    ...section(consequenceTexts.api.breaks, plain(api.breaks)),
    ...section(consequenceTexts.api.additions, plain(api.additions)),
    ...section(consequenceTexts.scopes.heading, scopes.map(scopeLine)),
    ...section(
      consequenceTexts.schema.steps,
      schema.steps.map(({ grade, text }) => `${grades[grade].heading}: ${plainMarkdown(text)}`),
    ),
    ...section(consequenceTexts.schema.refusals, plain(schema.refusals)),
    ...block.flatMap(sql => [`## ${consequenceTexts.schema.heading}`, codeBlockMarkdown(sql, 'sql')]),
  ]
}

function scopeLine(change: ScopeChange): string {
  const { entity, operation } = change
  const { effect, before, after } = scopeWords(change, code)
  const prefix = effect === 'changed' ? '' : `**${consequenceTexts.scopes.effects[effect]}**: `
  return `${prefix}${texts.requires(operation, code(entity), before, after)}`
}

/** Nothing without lines. */
function section(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${heading}`, listOf(lines)]
}

function listOf(lines: readonly string[]): string {
  return lines.map(line => `- ${line}`).join('\n')
}
