import { useQuery } from '@tanstack/react-query'
import { CircleCheck, ListX } from 'lucide-react'
import { useMemo, useState } from 'react'
import type * as z from 'zod'
import {
  existingChoices,
  type ExistingEntity,
  type ImportReview,
  type ReviewedEntity,
} from '@cadmus/model/contract/import-review'
import type { importReportLine } from '@cadmus/model/contract/shared'
import { formatCount, visibleText } from '@cadmus/model/display'
import { thingNouns } from '@cadmus/model/import-things'
import { messages } from '@cadmus/model/messages'
import { reviewLimits } from '@cadmus/model/import-review-limits'
import { reviewDialogTexts as texts, reviewTexts } from '@cadmus/model/messages/import-review'
import { reviewCheckQuery, reviewedEntitiesQuery, reviewFindingsQuery } from '../../api/import-review.ts'
import { messageOf } from '../../api/error.ts'
import { ManifestSelect } from '../../commands/ManifestSelect.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { SearchBox } from '../../ui/SearchBox.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { Select } from '../../ui/Select.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Tree, type TreeRow } from '../../ui/Tree.tsx'
import styles from './ImportReview.module.css'
import { rowCheckboxes, RowChecking } from './RowCheckbox.tsx'
import { existingOf, type ReviewDecisions } from './review-decisions.ts'
import {
  countsText,
  type Existing,
  type LeftOut,
  placeOf,
  type ReviewFilter,
  reviewRows,
  rowId,
  toggledAt,
} from './review-rows.ts'

type Line = z.output<typeof importReportLine>

export type ImportReviewStepProps = {
  review: ImportReview
  decisions: ReviewDecisions
  /** undefined: still loading, or not requested. */
  known: readonly ExistingEntity[] | undefined
  /** What the chosen manifest gets besides its entities. */
  additions: readonly Line[] | undefined
  onDecide: (change: Partial<ReviewDecisions>) => void
}

const noEntities: readonly ReviewedEntity[] = []

/** What was read of a file before it is imported: a tree to choose from, and the findings of what is selected. */
export function ImportReviewStep({ review, decisions, known, additions = [], onDecide }: ImportReviewStepProps) {
  const { key } = review
  const [selected, setSelected] = useState(rowId({ kind: 'manifest', index: 0 }))
  const { data: entities, error, refetch, isFetching } = useQuery(reviewedEntitiesQuery(key))
  const place = placeOf(selected)
  const entity = place.kind === 'entity' ? (entities ?? noEntities).find(({ index }) => index === place.index) : null
  const findings = useQuery(reviewFindingsQuery(key, entity?.index ?? null))
  const existing = useMemo(() => existingOf(decisions, known), [decisions, known])
  const { leftOut, intoExisting, target } = decisions
  const check = useQuery({
    ...reviewCheckQuery(key, leftOut, intoExisting ? target?.id : undefined),
    enabled: leftOut.size > 0 && leftOut.size < review.entities,
  })
  const refused = leftOut.size === 0 ? undefined : check.data
  if (error && !entities)
    return (
      <ErrorState
        message={messageOf(error, messages.failed.importManifest)}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    )
  const refusals = entity ? [] : (refused?.problems ?? [])
  const added = entity || !decisions.intoExisting ? [] : additions
  const match = entity && known?.find(one => one.entity === entity.index)
  return (
    <div className={styles['review']}>
      <ReviewTarget
        decisions={decisions}
        exist={existing.size > 0}
        isTooLarge={review.entities - leftOut.size > reviewLimits.into}
        onDecide={onDecide}
      />
      <div className={styles['panes']}>
        <EntityPane
          review={review}
          entities={entities ?? null}
          selected={selected}
          leftOut={decisions.leftOut}
          existing={existing}
          check={leftOut.size === 0 ? '' : checkText(check)}
          onSelect={setSelected}
          onLeftOut={leftOut => onDecide({ leftOut })}
        />
        <section className={styles['about']} aria-label={texts.findings}>
          {entity ? <AboutEntity entity={entity} /> : <Totals review={review} />}
          {entity && match && decisions.intoExisting && (
            <Select
              label={texts.forOne}
              hint={`${texts.existsBy[match.by]} ${texts.choiceHints[existing.get(entity.index) ?? 'merge']}`}
              options={choiceOptions}
              value={existing.get(entity.index) ?? 'merge'}
              onChange={choice => onDecide({ exceptions: new Map([...decisions.exceptions, [entity.index, choice]]) })}
            />
          )}
          {findings.error && !findings.data ? (
            <ErrorState
              message={messageOf(findings.error, messages.failed.importManifest)}
              busy={findings.isFetching}
              onRetry={() => void findings.refetch()}
            />
          ) : findings.data ? (
            <Findings
              lines={[...refusals, ...added, ...findings.data.findings]}
              total={(entity ? 0 : (refused?.total ?? 0)) + added.length + findings.data.total}
              elsewhere={!entity && hasFindings(review)}
            />
          ) : (
            <Skeleton lines={4} />
          )}
        </section>
      </div>
    </div>
  )
}

/** What exports would refuse without what is left out; '' if that is unknown. */
function checkText({ data, isFetching }: { data: { total: number } | undefined; isFetching: boolean }): string {
  if (isFetching) return texts.checking
  return data ? texts.toMend(data.total) : ''
}

const choiceOptions = existingChoices.map(value => ({ value, label: texts.choices[value] }))

type ReviewTargetProps = {
  decisions: ReviewDecisions
  /** Whether entities of the file exist in the manifest. */
  exist: boolean
  /** Whether an existing manifest does not take as many at once. */
  isTooLarge?: boolean
  onDecide: (change: Partial<ReviewDecisions>) => void
}

/** Where the entities are imported, and what becomes of those that exist there. */
export function ReviewTarget({ decisions, exist, isTooLarge = false, onDecide }: ReviewTargetProps) {
  const { intoExisting, target, existing } = decisions
  return (
    <div className={styles['target']}>
      <Segments
        label={texts.into}
        value={intoExisting ? 'existing' : 'new'}
        onChange={into => onDecide({ intoExisting: into === 'existing' })}
        options={[
          { value: 'new', label: texts.newManifest },
          { value: 'existing', label: texts.existingManifest },
        ]}
      />
      {intoExisting && (
        <ManifestSelect
          label={texts.manifest}
          hideLabel
          value={target}
          onChange={manifest => onDecide({ target: manifest, exceptions: new Map() })}
        />
      )}
      {intoExisting && exist && (
        <Select
          label={texts.forAll}
          hideLabel
          options={choiceOptions.map(({ value, label }) => ({ value, label: `${texts.forAll}: ${label}` }))}
          value={existing}
          onChange={choice => onDecide({ existing: choice, exceptions: new Map() })}
        />
      )}
      {isTooLarge && <p className={styles['limit']}>{reviewTexts.mostInto(reviewLimits.into)}</p>}
    </div>
  )
}

type EntityPaneProps = {
  review: ImportReview
  /** null: still loading. */
  entities: readonly ReviewedEntity[] | null
  selected: string
  leftOut: LeftOut
  existing: Existing
  /** What exports would refuse; '' without anything to say. */
  check?: string
  onSelect: (id: string) => void
  onLeftOut: (leftOut: LeftOut) => void
}

export function EntityPane({
  review,
  entities,
  selected,
  leftOut,
  existing,
  check = '',
  onSelect,
  onLeftOut,
}: EntityPaneProps) {
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set())
  const [chosenFilter, setFilter] = useState<ReviewFilter>({ search: '', only: 'all' })
  // The filter goes with what it is for.
  const isGone = chosenFilter.only === 'existing' && existing.size === 0
  const only = isGone ? 'all' : chosenFilter.only
  const filter = useMemo(() => ({ search: chosenFilter.search, only }), [chosenFilter.search, only])
  const rows = useMemo(
    () => reviewRows(review, entities ?? noEntities, { leftOut, folded, filter, existing }).map(withBox),
    [review, entities, leftOut, folded, filter, existing],
  )

  const toggle = (id: string) => onLeftOut(toggledAt(id, review, entities ?? noEntities, { leftOut, filter, existing }))

  function fold(id: string) {
    const next = new Set(folded)
    const { index } = placeOf(id)
    if (!next.delete(index)) next.add(index)
    setFolded(next)
  }

  return (
    <section className={styles['entities']} aria-label={texts.tree}>
      <div className={styles['filters']}>
        <SearchBox label={texts.search} value={filter.search} onSearch={search => setFilter({ ...filter, search })} />
        <Segments
          label={texts.filter}
          value={filter.only}
          onChange={next => setFilter({ ...filter, only: next })}
          options={[
            { value: 'all', label: texts.all },
            { value: 'findings', label: texts.withFindings },
            ...(existing.size > 0 ? [{ value: 'existing' as const, label: texts.existing }] : []),
          ]}
        />
      </div>
      {entities === null ? (
        <Skeleton lines={6} />
      ) : rows.length === 0 ? (
        <EmptyState icon={ListX} text={texts.noneShown} />
      ) : (
        <RowChecking value={toggle}>
          <Tree
            label={texts.tree}
            rows={rows}
            selected={selected}
            onOpen={onSelect}
            onToggle={fold}
            onKey={(id, { key }) => {
              if (key === ' ') toggle(id)
              return key === ' '
            }}
            onMore={() => undefined}
            entriesFor={id => [
              {
                kind: 'item',
                id: 'choose',
                label: rows.find(row => row.id === id)?.checked === true ? texts.leaveOut : texts.choose,
                run: () => toggle(id),
              },
            ]}
          />
        </RowChecking>
      )}
      <output className={styles['chosen']}>
        {texts.chosen(review.entities - leftOut.size, review.entities)}
        {entities !== null && entities.length < review.entities && `. ${texts.shownFirst(entities.length)}`}
        {check !== '' && `. ${check}`}
      </output>
    </section>
  )
}

function withBox(row: TreeRow): TreeRow {
  return row.checked === undefined ? row : { ...row, icon: rowCheckboxes[`${row.checked}`] }
}

function AboutEntity({ entity }: { entity: ReviewedEntity }) {
  return (
    <header>
      <h3 className={styles['title']}>{visibleText(entity.name)}</h3>
      <p className={styles['counts']}>{countsText(entity)}</p>
    </header>
  )
}

export function Totals({ review: { name, facts, things } }: { review: ImportReview }) {
  const [first] = facts
  return (
    <header>
      <h3 className={styles['title']}>{visibleText(name)}</h3>
      {first && <p className={styles['counts']}>{first}</p>}
      <table className={styles['totals']}>
        <caption className="visually-hidden">{texts.totals}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.columns.thing}</th>
            <th scope="col">{texts.columns.read}</th>
            <th scope="col">{texts.columns.imported}</th>
            <th scope="col">{texts.columns.listed}</th>
          </tr>
        </thead>
        <tbody>
          {things.map(({ thing, read, imported, listed }) => (
            <tr key={thing}>
              <th scope="row">{thing === 'other' ? texts.other : thingNouns[thing][1]}</th>
              <td>{formatCount(read)}</td>
              <td>{formatCount(imported)}</td>
              <td data-lost={listed > 0 || undefined}>{formatCount(listed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </header>
  )
}

function hasFindings({ findings: { problems, lost, changed } }: ImportReview): boolean {
  return problems + lost + changed > 0
}

type FindingsProps = {
  lines: readonly Line[]
  total: number
  /** Whether there are findings about others than what is selected. */
  elsewhere: boolean
}

export function Findings({ lines, total, elsewhere }: FindingsProps) {
  if (total === 0)
    return <EmptyState icon={elsewhere ? ListX : CircleCheck} text={elsewhere ? texts.elsewhere : texts.none} />
  return (
    // Focusable so that the keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ul tabIndex={0} aria-label={texts.findings} className={styles['findings']}>
      {lines.map(({ kind = 'note', message, path }, index) => (
        <li key={`${index} ${path}`} data-kind={kind}>
          <strong>{texts.kinds[kind]}</strong>{' '}
          <span>
            {visibleText(message)} <code>{visibleText(path)}</code>
          </span>
        </li>
      ))}
      {total > lines.length && <li>{texts.more(total - lines.length)}</li>}
    </ul>
  )
}
