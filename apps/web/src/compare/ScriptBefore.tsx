import type { Migration, ScriptSide } from '@cadmus/model/contract/comparison'
import { type DatabaseType, databaseTypes, databaseTypeTable } from '@cadmus/model/database-types'
import { visibleText } from '@cadmus/model/display'
import { limits } from '@cadmus/model/limits'
import { migrationTexts } from '@cadmus/model/messages/migration'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { FileField } from '../ui/FileField.tsx'
import { FormDialog, useSubmission } from '../ui/FormDialog.tsx'
import { reasons } from '../ui/reasons.ts'
import { Select } from '../ui/Select.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import styles from './Consequences.module.css'

const { fromScript: texts } = migrationTexts

const detected = 'detected'
const databases = [
  { value: detected, label: texts.detected },
  ...databaseTypes.map(value => ({ value, label: databaseTypeTable[value].label })),
] as const

type ScriptDialogProps = { onUse: (script: ScriptSide) => void; onClose: () => void }

/** Chooses or pastes the script from which a migration starts. */
export function ScriptDialog({ onUse, onClose }: ScriptDialogProps) {
  const [text, setText] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const [database, setDatabase] = useState<DatabaseType | typeof detected>(detected)
  const { busy, failure, submit } = useSubmission()
  const isEmpty = file === null && text.trim() === ''
  const isTooLarge = (file?.size ?? text.length) > limits.sqlText
  return (
    <FormDialog
      title={texts.title}
      width={560}
      busy={busy}
      onClose={onClose}
      entered={!isEmpty}
      submitLabel={texts.use}
      blocked={isTooLarge ? texts.tooLarge : isEmpty && reasons.field(texts.text, texts.missing)}
      onSubmit={() =>
        void submit(async () => {
          const sql = file ? await file.text() : text
          onUse({ kind: 'script', text: sql, renames: [], ...(database === detected ? {} : { database }) })
        })
      }
    >
      <p className={styles['none']}>{texts.about}</p>
      <FileField
        label={texts.file}
        accept={['.sql', '.ddl', '.txt']}
        file={file}
        error={failure === null ? null : texts.unread}
        onChange={setFile}
      />
      {file === null && <TextArea label={texts.text} hint={texts.hint} mono rows={8} value={text} onChange={setText} />}
      <Select label={migrationTexts.database} options={databases} value={database} onChange={setDatabase} />
    </FormDialog>
  )
}

type RenamesProps = {
  unpaired: Migration['unpaired']
  script: ScriptSide
  onChange: (script: ScriptSide) => void
}

const none = 'none'

/** Tables and columns of the script that are called otherwise now, each with what it may be. */
export function Renames({ unpaired, script, onChange }: RenamesProps) {
  const { renames } = script
  const chosen = renames.map(({ table, column, uid }) => ({ table, column, candidates: [], suggested: null, uid }))
  const isOpen = (one: Migration['unpaired'][number]) => one.candidates.length > 0
  const open = unpaired.filter(isOpen)
  const suggested = open.flatMap(({ table, column, suggested: uid }) => (uid === null ? [] : [{ table, column, uid }]))
  if (open.length === 0 && chosen.length === 0) return null
  return (
    <section aria-label={texts.renames} className={styles['part']}>
      <div className={styles['tools']}>
        <h3 className={styles['grade']}>{texts.renames}</h3>
        {renames.length > 0 && (
          <Button onClick={() => onChange({ ...script, renames: [] })}>{texts.forget(renames.length)}</Button>
        )}
        {suggested.length > 0 && (
          <Button onClick={() => onChange({ ...script, renames: [...renames, ...suggested] })}>
            {texts.takeAll(suggested.length)}
          </Button>
        )}
      </div>
      <p className={styles['none']}>{texts.renamesHint}</p>
      <div className={styles['choices']}>
        {open.map(({ table, column, candidates, suggested: uid }) => {
          const options = candidates.map(one => ({
            value: one.uid,
            label: one.uid === uid ? texts.suggested(one.name) : visibleText(one.name),
          }))
          return (
            <Select
              key={`${table}.${column}`}
              label={visibleText(column === null ? table : `${table}.${column}`)}
              options={[{ value: none, label: texts.dropped }, ...options]}
              value={none}
              onChange={value => {
                if (value !== none) onChange({ ...script, renames: [...renames, { table, column, uid: value }] })
              }}
            />
          )
        })}
      </div>
    </section>
  )
}
