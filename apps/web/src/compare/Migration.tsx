import type { Migration as Answer, MigrationStepAnswer, ScriptSide } from '@cadmus/model/contract/comparison'
import { databaseTypes } from '@cadmus/model/database-types'
import { formatCount, visibleText } from '@cadmus/model/display'
import { messages } from '@cadmus/model/messages'
import { migrationTexts as texts } from '@cadmus/model/messages/migration'
import { scriptTexts } from '@cadmus/model/messages/values'
import {
  type MigrationDirection,
  migrationDirections,
  type MigrationGrade,
  migrationGrades,
  type MigrationNaming,
  migrationNamings,
} from '@cadmus/model/migration-step'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, Copy, Download, Equal, FileUp, TriangleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import { type ComparedSides, migrationQuery, type NumberedScript } from '../api/comparison.ts'
import { saveFile } from '../api/download.ts'
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
import { IconButton } from '../ui/IconButton.tsx'
import { LongText } from '../ui/LongText.tsx'
import { Segments } from '../ui/Segments.tsx'
import { Select } from '../ui/Select.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import styles from './Consequences.module.css'
import { DataSteps } from './DataSteps.tsx'
import { CountRecords, useRecordCounts } from './RecordCounts.tsx'
import { Renames, ScriptDialog } from './ScriptBefore.tsx'
import { useDatabase } from './use-database.ts'

const directions = migrationDirections.map(value => ({ value, label: texts.directions[value] }))
const namings = migrationNamings.map(value => ({ value, label: texts.naming[value] }))

/** The script by which a database of one's own follows a comparison. */
export function Migration({ sides }: { sides: ComparedSides }) {
  const licensed = useLicence()?.databaseTypes ?? databaseTypes
  const { database, setDatabase } = useDatabase()
  const [direction, setDirection] = useState<MigrationDirection>('up')
  const [naming, setNaming] = useState<MigrationNaming>('plain')
  const [script, setScript] = useState<NumberedScript | null>(null)
  const [isChoosing, setChoosing] = useState(false)
  const { data, error, refetch } = useQuery({
    ...migrationQuery(sides, { database, direction, naming }, script),
    placeholderData: previous => (script ? previous : undefined),
  })
  const counting = useRecordCounts(sides, direction === 'up' && script === null ? data : undefined)
  const use = (side: ScriptSide) => setScript({ number: nextNumber(), side })
  return (
    <div className={styles['consequences']}>
      <p className={styles['none']}>{texts.about}</p>
      <div className={styles['choices']}>
        <DatabaseTypeSelect label={texts.database} licensed={licensed} value={database} onChange={setDatabase} />
        <Select label={texts.naming.label} options={namings} value={naming} onChange={setNaming} />
        <Segments label={texts.directions.label} options={directions} value={direction} onChange={setDirection} />
        <Button icon={FileUp} onClick={() => setChoosing(true)}>
          {texts.fromScript.choose}
        </Button>
      </div>
      {script && (
        <Alert kind="info">
          {texts.fromScript.used} <Button onClick={() => setScript(null)}>{texts.fromScript.stop}</Button>
        </Alert>
      )}
      {isChoosing && (
        <ScriptDialog
          onClose={() => setChoosing(false)}
          onUse={side => {
            use(side)
            setChoosing(false)
          }}
        />
      )}
      {data !== undefined ? (
        <>
          {script && <Renames unpaired={data.unpaired} script={script.side} onChange={use} />}
          <DataSteps sides={sides} steps={data.dataSteps} />
          <CountRecords counting={counting} />
          <MigrationAnswer migration={data} counts={counting.counts} />
        </>
      ) : error === null ? (
        <Skeleton label={texts.loading} />
      ) : (
        <ErrorState message={messageOf(error, messages.failed.unexpected)} onRetry={() => void refetch()} />
      )}
    </div>
  )
}

let lastNumber = 0

/** Answers are stored by these numbers. */
function nextNumber(): number {
  lastNumber += 1
  return lastNumber
}

/** By the keys of steps; null while they are not known. */
type Counts = ReadonlyMap<string, number> | null

export function MigrationAnswer({ migration, counts }: { migration: Answer; counts: Counts }) {
  const { problems, refused, steps, script } = migration
  if (script?.text === '' && steps.length === 0) return <EmptyState icon={Equal} text={texts.none} />
  return (
    <>
      <Warning text={texts.problems} lines={problems} />
      <Warning text={texts.refused} lines={refused} />
      {migrationGrades.toReversed().map(grade => (
        <Steps key={grade} grade={grade} steps={steps.filter(step => step.grade === grade)} counts={counts} />
      ))}
      {script && <Script {...script} />}
    </>
  )
}

function Warning({ text, lines }: { text: string; lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <Alert kind="warning">
      {text}
      <ul className={styles['lines']}>
        {lines.map((line, at) => (
          <li key={`${at} ${line}`}>{visibleText(line)}</li>
        ))}
      </ul>
    </Alert>
  )
}

const icons: Readonly<Partial<Record<MigrationGrade, Icon>>> = { losesData: CircleAlert, mayFail: TriangleAlert }

type StepsProps = { grade: MigrationGrade; steps: readonly MigrationStepAnswer[]; counts: Counts }

function Steps({ grade, steps, counts }: StepsProps) {
  const id = useId()
  const { heading, note } = texts.grades[grade]
  const Symbol = icons[grade]
  if (steps.length === 0) return null
  return (
    <section aria-labelledby={id} className={styles['part']}>
      <h3 id={id} className={classNames(styles['grade'], grade === 'losesData' && styles['danger'])}>
        {Symbol && <Symbol size={14} aria-hidden />}
        {heading} <span className={styles['count']}>{formatCount(steps.length)}</span>
      </h3>
      <p className={styles['none']}>{note}</p>
      <ul className={styles['lines']}>
        {steps.map(({ text, question, key }, at) => (
          <li key={`${at} ${text}`}>
            {visibleText(text)}
            {counts && key !== null && <StepCount count={counts.get(key)} />}
            {question !== null && <Question text={question} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

function StepCount({ count }: { count: number | undefined }) {
  return (
    <>
      {' '}
      <strong className={classNames(styles['stepCount'], !count && styles['none'])}>
        {count === undefined ? texts.counts.uncounted : texts.counts.of(count)}
      </strong>
    </>
  )
}

function Question({ text }: { text: string }) {
  return (
    <span className={styles['question']}>
      <code>{visibleText(text)}</code>
      <IconButton icon={Copy} label={texts.copyQuestion} onClick={() => void copyText(text)} />
    </span>
  )
}

function Script({ text, fileName }: { text: string; fileName: string }) {
  return (
    <section className={styles['part']} aria-label={texts.script}>
      <div className={styles['tools']}>
        <h3 className={styles['grade']}>{visibleText(fileName)}</h3>
        <Button icon={Copy} onClick={() => void copyText(text)}>
          {texts.copy}
        </Button>
        <Button icon={Download} onClick={() => saveFile(new Blob([text], { type: 'application/sql' }), fileName)}>
          {texts.download}
        </Button>
      </div>
      <LongText className={styles['statements']} label={texts.script} text={text} cutText={scriptTexts.cut} />
    </section>
  )
}
