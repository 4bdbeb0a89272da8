import { CircleAlert, CircleCheck, LoaderCircle, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { scopeWords } from '@cadmus/model/comparison/scope-words'
import { databaseTypeTable, embeddedDatabase, packageDatabaseOf } from '@cadmus/model/database-types'
import { visibleText } from '@cadmus/model/display'
import { messages } from '@cadmus/model/messages'
import { consequenceTexts } from '@cadmus/model/messages/compare-consequences'
import { publishTexts } from '@cadmus/model/messages/publish'
import { openSum } from '@cadmus/model/messages/scopes'
import { problemTexts } from '@cadmus/model/messages/values'
import type { Publication, RebuildCheck, StartObstacle } from '../../api/publications.ts'
import { apiLabels } from '../../commands/configuration-words.ts'
import type { Named } from '../../commands/context.ts'
import { DocumentLink, type DocumentPlace } from '../../commands/DocumentLink.tsx'
import { sideWord } from '../../compare/side-code.ts'
import { documentOf, lineOf } from '../../problems/problem-groups.ts'
import { Button } from '../../ui/Button.tsx'
import { UnreadAlert } from '../../ui/UnreadAlert.tsx'
import { compareTab, hrefOf, sectionPath } from '../../workbench/address.ts'
import type { DocumentRef } from '../../workbench/documents.ts'
import styles from './PublishAgain.module.css'
import type { PublishChecks } from './use-publish-again.ts'

const maxShown = 6

type VerdictProps = {
  manifest: Named
  publication: Publication
  checks: PublishChecks
  /** A link has opened a place to correct something. */
  onLeave: () => void
  onSettings: () => void
}

/** The checks before publishing, each with its own state and with links to where it is corrected. */
export function PublishVerdict({ manifest, publication, checks, onLeave, onSettings }: VerdictProps) {
  const { check, data } = checks
  if (check.failure) return <UnreadAlert failure={check.failure} />
  const value = check.value
  const before = sideWord({ kind: 'build', package: publication.packageId, version: publication.version })
  const changes = (
    <FixLink
      document={{ kind: 'manifest', ...manifest }}
      place={{ tab: compareTab, before, after: 'now' }}
      onLeave={onLeave}
    >
      {publishTexts.changes}
    </FixLink>
  )
  return (
    <dl className={styles['verdict']}>
      <Row heading={publishTexts.contract.heading} state={value && contractState(value)}>
        {value === undefined ? publishTexts.checking : <Contract check={value} changes={changes} />}
      </Row>
      <Row heading={publishTexts.data.heading} state={dataState(data)} idle={checks.signIn || (value?.errors ?? 0) > 0}>
        {data.failure ? (
          <UnreadAlert failure={data.failure} />
        ) : (
          <Data checks={checks} publication={publication} changes={changes} onLeave={onLeave} />
        )}
      </Row>
      <Row heading={publishTexts.scopes.heading} state={value && scopesState(value)}>
        {value === undefined ? publishTexts.checking : <Scopes check={value} changes={changes} />}
      </Row>
      <Row heading={publishTexts.problems.heading} state={value && problemState(value)}>
        {value === undefined ? publishTexts.checking : <Problems check={value} onLeave={onLeave} />}
      </Row>
      <Row heading={publishTexts.settings.heading} state={value && 'none'}>
        {value === undefined ? publishTexts.checking : <Settings check={value} onSettings={onSettings} />}
      </Row>
    </dl>
  )
}

type State = 'good' | 'warning' | 'bad' | 'none'

const icons = { good: CircleCheck, warning: TriangleAlert, bad: CircleAlert }

type RowProps = {
  heading: string
  /** undefined: still running. */
  state: State | undefined
  /** Not running: it waits for something else. */
  idle?: boolean
  children: ReactNode
}

function Row({ heading, state, idle = false, children }: RowProps) {
  const isRunning = state === undefined && !idle
  const Symbol = isRunning ? LoaderCircle : state === undefined || state === 'none' ? null : icons[state]
  return (
    <div data-state={state ?? (idle ? 'idle' : 'running')} aria-busy={isRunning || undefined}>
      <dt>
        {Symbol ? <Symbol size={16} aria-hidden /> : <span />}
        {heading}
      </dt>
      <dd>{typeof children === 'string' ? <p>{children}</p> : children}</dd>
    </div>
  )
}

function contractState({ suggestion, errors }: RebuildCheck): State {
  return errors > 0 ? 'none' : suggestion === null ? 'good' : 'warning'
}

function Contract({ check: { basedOn, errors, suggestion }, changes }: { check: RebuildCheck; changes: ReactNode }) {
  if (errors > 0) return <p>{publishTexts.contract.unknown}</p>
  if (suggestion === null) return <p>{publishTexts.contract.none(basedOn)}</p>
  return (
    <>
      <p>{publishTexts.contract.breaks(basedOn)}</p>
      <Lines lines={suggestion.reasons} />
      {changes}
    </>
  )
}

function dataState({ value, failed }: PublishChecks['data']): State | undefined {
  if (value === undefined) return failed ? 'bad' : undefined
  if (value.obstacles.length > 0) return 'bad'
  return (value.warnings?.length ?? 1) > 0 ? 'warning' : 'good'
}

type DataProps = { checks: PublishChecks; publication: Publication; changes: ReactNode; onLeave: () => void }

function Data({ checks: { check, data, signIn }, publication: { instanceUrl }, changes, onLeave }: DataProps) {
  if ((check.value?.errors ?? 0) > 0) return <p>{publishTexts.data.unknown}</p>
  if (signIn) return <p>{publishTexts.data.signIn}</p>
  if (data.value === undefined) return <p>{publishTexts.data.reading(instanceUrl)}</p>
  const { warnings, obstacles } = data.value
  if (warnings === null) return <p>{publishTexts.data.noPreview}</p>
  if (warnings.length + obstacles.length === 0) return <p>{publishTexts.data.none}</p>
  return (
    <>
      {obstacles.length > 0 && <Obstacles obstacles={obstacles} onLeave={onLeave} />}
      {warnings.length > 0 && (
        <>
          <p>{publishTexts.data.warnings}</p>
          <Lines lines={warnings} />
        </>
      )}
      {changes}
    </>
  )
}

function scopesState({ openedCount, errors }: RebuildCheck): State {
  return errors > 0 ? 'none' : openedCount === 0 ? 'good' : 'warning'
}

function Scopes({
  check: { errors, opened, openedCount, access },
  changes,
}: {
  check: RebuildCheck
  changes: ReactNode
}) {
  if (errors > 0) return <p>{publishTexts.contract.unknown}</p>
  // A warning among the problems says it otherwise.
  const isWarned = access?.settings === 'scopes' && access.open > 0
  const sum = access && access.settings !== 'noApi' && !isWarned && <p>{openSum(access)}</p>
  if (openedCount === 0)
    return (
      <>
        <p>{publishTexts.scopes.none}</p>
        {sum}
      </>
    )
  const shown = opened.slice(0, maxShown).map(change => {
    const { before, after } = scopeWords(change)
    const operation = consequenceTexts.scopes.operations[change.operation]
    return publishTexts.scopes.change(change.entity, operation, before, after)
  })
  const more = openedCount - shown.length
  return (
    <>
      <p>{publishTexts.scopes.opened(openedCount)}</p>
      <Lines lines={more > 0 ? [...shown, publishTexts.more(more)] : shown} />
      {sum}
      {changes}
    </>
  )
}

function problemState({ errors, warnings }: RebuildCheck): State {
  return errors > 0 ? 'bad' : warnings > 0 ? 'warning' : 'good'
}

function Problems({ check, onLeave }: { check: RebuildCheck; onLeave: () => void }) {
  const { problems, errors, warnings } = check
  if (problems.length === 0) return <p>{publishTexts.problems.none}</p>
  const counts = [errors > 0 && problemTexts.error(errors), warnings > 0 && problemTexts.warning(warnings)]
  const shown = problems.slice(0, maxShown)
  return (
    <details open={errors > 0}>
      <summary>{counts.filter(Boolean).join(', ')}</summary>
      <ul>
        {shown.map((problem, at) => {
          const document = documentOf(problem)
          return (
            <li key={`${at} ${problem.message}`}>
              <FixLink document={document} place={lineOf(problem).place} onLeave={onLeave}>
                {document.name}
              </FixLink>
              : {visibleText(problem.message)}
            </li>
          )
        })}
        {errors + warnings > shown.length && <li>{publishTexts.more(errors + warnings - shown.length)}</li>}
      </ul>
    </details>
  )
}

function Settings({ check, onSettings }: { check: RebuildCheck; onSettings: () => void }) {
  return (
    <>
      <p>{[contentOf(check), databaseOf(check)].filter(text => text !== '').join(', ')}</p>
      <p className={styles['note']}>
        {check.choices.length > 0 ? publishTexts.settings.chosen : publishTexts.settings.configured}
      </p>
      <Button onClick={onSettings}>{publishTexts.settings.change}</Button>
    </>
  )
}

function contentOf({ publishAs, apis }: RebuildCheck): string {
  if (publishAs !== 'PACKAGE') return publishTexts.settings.kinds[publishAs]
  return apis.length === 0 ? publishTexts.settings.noApi : apis.map(api => apiLabels[api]).join(', ')
}

function databaseOf({ publishAs, connection: { type, url, databaseName } }: RebuildCheck): string {
  if (publishAs === 'ENTITY_GLOOP_MODEL') return ''
  if (embeddedDatabase(url) !== undefined) return messages.packages.embeddedDatabase
  const known = packageDatabaseOf(type)
  return [known ? databaseTypeTable[known].label : type, visibleText(databaseName || url)].join(' ').trim()
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <ul>
      {lines.map((line, at) => (
        <li key={`${at} ${line}`}>{visibleText(line)}</li>
      ))}
    </ul>
  )
}

/** The records that prevent a start, each with the way to the attribute that asks for something else. */
function Obstacles({ obstacles, onLeave }: { obstacles: readonly StartObstacle[]; onLeave: () => void }) {
  return (
    <>
      <p>{publishTexts.data.obstacles}</p>
      <ul>
        {obstacles.map(({ text, entity, attribute }, at) => (
          <li key={`${at} ${text}`}>
            {visibleText(text)}{' '}
            {entity && (
              <FixLink document={{ kind: 'entity', ...entity }} place={{ row: attribute }} onLeave={onLeave}>
                {publishTexts.fix}
              </FixLink>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

type FixLinkProps = { document: DocumentRef; place: DocumentPlace; onLeave: () => void; children: string }

/** A link to a document. The page of packages shows none: there it leads to the workspace. */
function FixLink({ document, place, onLeave, children }: FixLinkProps) {
  if (location.pathname === sectionPath())
    return (
      <DocumentLink document={document} place={place} onOpen={onLeave}>
        {children}
      </DocumentLink>
    )
  return (
    <a className="link" href={hrefOf(document, place)}>
      {visibleText(children)}
    </a>
  )
}
