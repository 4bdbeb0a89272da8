import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { ImportReview, ReviewedEntity } from '@cadmus/model/contract/import-review'
import { reviewDialogTexts as texts, reviewTexts } from '@cadmus/model/messages/import-review'
import { uiSettings } from '../../providers.tsx'
import { UiSettingsContext } from '../../ui/settings.ts'
import { nextImportDialog, openImportDialog, stepsOf } from './import-flow.ts'
import { decisionsAgain, existingOf, firstDecisions, intoBody, whyUndecided } from './review-decisions.ts'
import { EntityPane, Findings, ReviewTarget, Totals } from './ImportReviewStep.tsx'

const counts = { attributes: 1, relationships: 0, keys: 1, uniques: 0, indexes: 0 }
const review: ImportReview = {
  key: 'a',
  name: 'Shop',
  files: 1,
  entities: 2,
  manifests: [{ name: 'Shop', parent: null, entities: 2, ...counts }],
  things: [
    { thing: 'table', read: 2, imported: 2, listed: 0 },
    { thing: 'check', read: 3, imported: 1, listed: 2 },
  ],
  facts: ['Read as PostgreSQL.'],
  findings: { problems: 0, lost: 2, changed: 0, notes: 0 },
  ownFindings: 0,
}
const entities: ReviewedEntity[] = ['Order', 'Item'].map((name, index) => ({
  ...counts,
  index,
  name,
  manifest: 0,
  problems: 0,
  lost: index * 2,
  changed: 0,
  notes: 0,
}))

function shown(content: React.ReactNode): string {
  return renderToStaticMarkup(<UiSettingsContext value={uiSettings}>{content}</UiSettingsContext>)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

describe('The review of an import', () => {
  const pane = (all: readonly ReviewedEntity[] | null, leftOut: number[] = [], check = '') => (
    <EntityPane
      review={review}
      entities={all}
      selected="manifest 0"
      leftOut={new Set(leftOut)}
      existing={new Map()}
      check={check}
      onSelect={() => undefined}
      onLeftOut={() => undefined}
    />
  )

  it('says early that an existing manifest takes fewer entities at once', () => {
    const target = (isTooLarge: boolean) =>
      shown(
        <ReviewTarget
          decisions={firstDecisions(null)}
          exist={false}
          isTooLarge={isTooLarge}
          onDecide={() => undefined}
        />,
      )
    expect(target(true)).toContain(reviewTexts.mostInto(1000))
    expect(target(false)).not.toContain(reviewTexts.mostInto(1000))
  })

  it('says how many entities are chosen', () => {
    expect(shown(pane(entities, [1]))).toContain('1 of 2 entities chosen')
    expect(shown(pane(null))).toContain('2 of 2 entities chosen')
    expect(shown(pane(entities, [1], texts.toMend(1)))).toContain('chosen. 1 to mend before an export.')
    expect(shown(pane(entities.slice(0, 1)))).toContain(texts.shownFirst(1))
  })

  it('counts what the file has, what is imported and what is not', () => {
    expect(shown(<Totals review={review} />)).toContain('tables 2 2 0 checks 3 1 2')
  })

  it('lists findings with what became of them, or says that there are none', () => {
    const line = { severity: 'warning', kind: 'lost', path: 'a.sql', message: 'Line 3: x' } as const
    expect(shown(<Findings lines={[line]} total={5} elsewhere={false} />)).toBe(
      'Lost Line 3: x a.sql 4 more in the report of the import.',
    )
    expect(shown(<Findings lines={[]} total={0} elsewhere={false} />)).toBe(texts.none)
    expect(shown(<Findings lines={[]} total={0} elsewhere />)).toBe(texts.elsewhere)
  })

  it('goes into a new manifest, or an existing one that has to be selected', () => {
    const decisions = firstDecisions(null)
    expect(whyUndecided(review, decisions, undefined)).toBeUndefined()
    const into = { ...decisions, intoExisting: true }
    expect(whyUndecided(review, into, undefined)).toBe(texts.noManifest)
    const chosen = { ...into, target: { id: 1, name: 'Shop' } }
    expect(whyUndecided(review, chosen, undefined)).toBe(texts.reading)
    expect(whyUndecided(review, chosen, [])).toBeUndefined()
    expect(whyUndecided({ entities: 1001 }, chosen, [])).toBe(reviewTexts.tooManyInto(1000))
    expect(whyUndecided(review, { ...chosen, leftOut: new Set([0, 1]) }, [])).toBe(texts.nothingChosen)
  })

  it('decides about existing entities alike, or about single ones', () => {
    const known = [0, 1].map(entity => ({ entity, id: entity + 7, name: 'x', tag: 't', by: 'name' as const }))
    const exceptions = new Map([[1, 'skip' as const]])
    const decisions = { ...firstDecisions(null), intoExisting: true, exceptions, leftOut: new Set([0]) }
    expect([...existingOf(decisions, known)]).toEqual([
      [0, 'merge'],
      [1, 'skip'],
    ])
    expect(existingOf({ ...decisions, intoExisting: false }, known).size).toBe(0)
    expect(intoBody(decisions, known, 'k')).toEqual({
      key: 'k',
      leftOut: [0],
      existing: 'merge',
      exceptions: [{ entity: 1, existing: 'skip' }],
      known: [{ id: 8, tag: 't' }],
    })
  })

  it('is a step after the file, from which Back leads to it', () => {
    const file = { ...openImportDialog(), step: 3 as const }
    const step = nextImportDialog(file, { type: 'review' })
    expect(stepsOf(file)).toEqual({ steps: ['What to import', 'File'], current: 1 })
    expect(stepsOf(step)).toEqual({ steps: ['What to import', 'File', 'Review'], current: 2 })
    expect(nextImportDialog(step, { type: 'back' }).step).toBe(3)
  })
})

describe('Decisions about an import', () => {
  const decisions = { ...firstDecisions(null), leftOut: new Set([2]) }
  const file = new File(['CREATE TABLE t (a int);'], 'a.sql')
  const decided = { review: { entities: 3 }, decisions, of: [file, 'postgresql'] }

  it('are the same after going back and reviewing the same input', () => {
    expect(decisionsAgain(decided, [file, 'postgresql'], { entities: 3 })).toBe(decisions)
  })

  it('are forgotten for another file or other choices', () => {
    expect(decisionsAgain(decided, [new File([], 'a.sql'), 'postgresql'], { entities: 3 })).toBeUndefined()
    expect(decisionsAgain(decided, [file, 'mysql'], { entities: 3 })).toBeUndefined()
    expect(decisionsAgain(decided, [file, 'postgresql'], { entities: 4 })).toBeUndefined()
    expect(decisionsAgain(null, [file], { entities: 3 })).toBeUndefined()
  })
})
