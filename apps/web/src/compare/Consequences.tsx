import type { Consequences as Answer } from '@cadmus/model/contract/comparison'
import { type DatabaseType, databaseTypes } from '@cadmus/model/database-types'
import { formatCount, visibleText } from '@cadmus/model/display'
import { messages } from '@cadmus/model/messages'
import { consequenceTexts as texts } from '@cadmus/model/messages/compare-consequences'
import { scriptTexts } from '@cadmus/model/messages/values'
import { type SchemaGrade, schemaGrades } from '@cadmus/model/schema-step'
import { CircleAlert, Copy, Equal, LockOpen, TriangleAlert } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { messageOf } from '../api/error.ts'
import { useLicence } from '../api/licence.ts'
import { DatabaseTypeSelect } from '../commands/DatabaseTypeSelect.tsx'
import { Alert } from '../ui/Alert.tsx'
import { Button } from '../ui/Button.tsx'
import { classNames } from '../ui/class-names.ts'
import { copyText } from '../ui/copy-text.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import type { Icon } from '../ui/Icon.ts'
import { LongText } from '../ui/LongText.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import styles from './Consequences.module.css'
import { scopeRows } from './scope-rows.ts'

export type ConsequencesProps = {
  /** Undefined until they have been read. */
  consequences: Answer | undefined
  database: DatabaseType
  onDatabase: (next: DatabaseType) => void
  error: Error | null
  retry: () => void
}

/** What a comparison means for callers of the API, for its scopes and for the tables of a database. */
export function Consequences({ consequences, database, onDatabase, error, retry }: ConsequencesProps) {
  const licensed = useLicence()?.databaseTypes ?? databaseTypes
  return (
    <div className={styles['consequences']}>
      <div className={styles['database']}>
        <DatabaseTypeSelect label={texts.database} licensed={licensed} value={database} onChange={onDatabase} />
      </div>
      {consequences !== undefined ? (
        <Answered consequences={consequences} />
      ) : error === null ? (
        <Skeleton label={texts.loading} />
      ) : (
        <ErrorState message={messageOf(error, messages.failed.unexpected)} onRetry={retry} />
      )}
    </div>
  )
}

function Answered({ consequences }: { consequences: Answer }) {
  const { problems, api, scopes, schema } = consequences
  const isSame = [problems, api.breaks, api.additions, scopes, schema.steps].every(({ length }) => length === 0)
  if (isSame) return <EmptyState icon={Equal} text={texts.none} />
  const empty = (text: string) => <p className={styles['none']}>{problems.length === 0 ? text : texts.unknown}</p>
  return (
    <>
      {problems.length > 0 && (
        <Alert kind="warning">
          {texts.problems}
          <Lines lines={problems} />
        </Alert>
      )}
      <Section
        heading={texts.api.heading}
        count={api.breaks.length + api.additions.length}
        empty={empty(api.isServed ? texts.api.none : texts.api.notConfigured)}
      >
        <Part heading={texts.api.breaks} icon={CircleAlert} isDangerous lines={api.breaks} />
        <Part heading={texts.api.additions} lines={api.additions} />
      </Section>
      <Section
        heading={texts.scopes.heading}
        count={scopes.length}
        empty={empty(api.isServed ? texts.scopes.none : texts.api.notConfigured)}
      >
        <ScopeTable scopes={scopes} />
      </Section>
      <Section heading={texts.schema.heading} count={schema.steps.length} empty={empty(texts.schema.none)}>
        {schemaGrades.toReversed().map(grade => (
          <Part
            key={grade}
            heading={grades[grade].heading}
            note={grades[grade].note}
            {...(grade === 'losesData' ? { icon: CircleAlert, isDangerous: true } : {})}
            lines={stepsOf(schema.steps, grade)}
          />
        ))}
        <Part heading={texts.schema.refusals} icon={TriangleAlert} lines={schema.refusals} />
        {schema.statements === null ? (
          <p className={styles['none']}>{texts.schema.noStatements}</p>
        ) : (
          <Statements statements={schema.statements} />
        )}
      </Section>
    </>
  )
}

const { grades } = messages.packages.view.dataLoss

function stepsOf(steps: Answer['schema']['steps'], grade: SchemaGrade): string[] {
  return steps.filter(step => step.grade === grade).map(({ text }) => text)
}

type SectionProps = { heading: string; count: number; empty: ReactNode; children: ReactNode }

function Section({ heading, count, empty, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={styles['section']}>
      <h3 id={id}>
        {heading} <span className={styles['count']}>{formatCount(count)}</span>
      </h3>
      {count === 0 ? empty : children}
    </section>
  )
}

type PartProps = { heading: string; note?: string; icon?: Icon; isDangerous?: boolean; lines: readonly string[] }

/** Nothing without lines. */
function Part({ heading, note, icon: Symbol, isDangerous = false, lines }: PartProps) {
  const id = useId()
  if (lines.length === 0) return null
  return (
    <div className={styles['part']}>
      <h4 id={id} className={classNames(isDangerous && styles['danger'])}>
        {Symbol && <Symbol size={14} aria-hidden />}
        {heading} <span className={styles['count']}>{formatCount(lines.length)}</span>
      </h4>
      {note !== undefined && <p className={styles['none']}>{note}</p>}
      <Lines lines={lines} labelledBy={id} />
    </div>
  )
}

function Lines({ lines, labelledBy }: { lines: readonly string[]; labelledBy?: string }) {
  return (
    <ul className={styles['lines']} aria-labelledby={labelledBy}>
      {lines.map((line, at) => (
        <li key={`${at} ${line}`}>{visibleText(line)}</li>
      ))}
    </ul>
  )
}

const effectIcons = { everyone: LockOpen, opens: LockOpen, changed: null }

function ScopeTable({ scopes }: Pick<Answer, 'scopes'>) {
  const { columns, effects, freeNow } = texts.scopes
  const free = scopes.filter(({ opens, after }) => opens && after?.length === 0).length
  return (
    <>
      {free > 0 && <Alert>{freeNow(free)}</Alert>}
      <table className={styles['scopes']} aria-label={texts.scopes.heading}>
        <thead>
          <tr>
            {Object.entries(columns).map(([name, label]) => (
              <th key={name} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {scopeRows(scopes).map(({ key, effect, entity, operations, before, after }) => {
            const Symbol = effectIcons[effect]
            return (
              <tr key={key}>
                <th scope="row">{visibleText(entity)}</th>
                <td>{operations}</td>
                <td>{visibleText(before)}</td>
                <td>{visibleText(after)}</td>
                <td className={classNames(effect === 'everyone' && styles['danger'])}>
                  {Symbol && <Symbol size={14} aria-hidden />} {effects[effect]}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </>
  )
}

function Statements({ statements }: { statements: readonly string[] }) {
  const script = `${statements.join(';\n')};\n`
  return (
    <div className={styles['part']}>
      <div className={styles['tools']}>
        <h4>{texts.schema.statements}</h4>
        <Button icon={Copy} onClick={() => void copyText(script)}>
          {texts.copy}
        </Button>
      </div>
      <LongText
        className={styles['statements']}
        label={texts.schema.statements}
        text={script}
        cutText={scriptTexts.cut}
      />
    </div>
  )
}
