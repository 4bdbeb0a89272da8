import { visibleText } from '@cadmus/model/display'
import type { OperationName } from '@cadmus/model/entity'
import { scopeMatrixTexts as texts } from '@cadmus/model/messages/scope-matrix'
import { admits, type ApiAccess, scopesRequired } from '@cadmus/model/required-scopes'
import { Ban, Check, LockOpen } from 'lucide-react'
import { useRef } from 'react'
import { tip } from '../ui/Tooltip.tsx'
import type { CellRequirement, MatrixRow } from './matrix-rows.ts'
import { fieldOf } from './scope-changes.ts'
import styles from './Scopes.module.css'

type ScopeCellProps = {
  row: MatrixRow
  operation: OperationName
  access: ApiAccess
  /** The scopes that the configuration defines. */
  defined: ReadonlySet<string>
  /** Scopes of a token; null: nothing is marked. */
  held: ReadonlySet<string> | null
  onScope: (scope: string) => void
}

/** What a call of an operation requires, and whether a token may make it. */
export function ScopeCell({ row, operation, access, defined, held, onScope }: ScopeCellProps) {
  const requirement = scopesRequired(row, operation, access)
  const own = row.operationScopes[fieldOf(operation)]
  const mark = held === null || requirement.kind === 'unserved' ? null : admits(requirement, held)
  return (
    <span
      className={styles['cell']}
      data-requires={requirement.kind}
      data-may={mark === null ? undefined : mark ? 'yes' : 'no'}
      {...hintOf(requirement)}
    >
      {mark !== null && <Mark may={mark} />}
      <Words requirement={requirement} hasOwn={own.length > 0} />
      {own.map(scope => (
        <Chip key={scope} scope={scope} isDefined={defined.has(scope)} onScope={onScope} />
      ))}
    </span>
  )
}

type ChipProps = { scope: string; isDefined: boolean; onScope: (scope: string) => void }

/** The first click chooses the cell; another one shows what requires the scope. */
function Chip({ scope, isDefined, onScope }: ChipProps) {
  const wasCurrent = useRef(false)
  return (
    <button
      type="button"
      tabIndex={-1}
      data-cell-part
      className={styles['chip']}
      data-undefined={!isDefined || undefined}
      {...tip(isDefined ? visibleText(scope) : texts.undefined(scope))}
      onPointerDown={({ currentTarget }) => {
        wasCurrent.current = currentTarget.closest('td')?.contains(document.activeElement) ?? false
      }}
      onClick={({ detail, shiftKey, ctrlKey, metaKey }) => {
        // A double click edits the cell; with a key a click chooses cells or rows.
        if (wasCurrent.current && detail < 2 && !shiftKey && !ctrlKey && !metaKey) onScope(scope)
      }}
    >
      {visibleText(scope)}
    </button>
  )
}

function Mark({ may }: { may: boolean }) {
  const Symbol = may ? Check : Ban
  return (
    <>
      <Symbol size={14} aria-hidden className={styles['mark']} />
      <span className="visually-hidden">{may ? texts.mayCall : texts.mayNotCall}: </span>
    </>
  )
}

function Words({ requirement, hasOwn }: { requirement: CellRequirement; hasOwn: boolean }) {
  // Beside scopes, which need the room, the hatching shows it.
  if (requirement.kind === 'unserved')
    return <span className={hasOwn ? 'visually-hidden' : styles['words']}>{texts.unserved[requirement.reason]}</span>
  if (requirement.kind === 'scopes') return hasOwn ? null : <span className={styles['words']}>{texts.globalOnly}</span>
  return (
    <span className={styles['open']}>
      <LockOpen size={12} aria-hidden />
      {requirement.kind === 'anyone' ? texts.anyone : texts.signedIn}
    </span>
  )
}

function hintOf(requirement: CellRequirement) {
  if (requirement.kind === 'unserved') return tip(texts.unservedHints[requirement.reason])
  if (requirement.kind !== 'scopes' || requirement.global.length === 0) return {}
  return tip(texts.global(requirement.global.map(scope => visibleText(scope))))
}
