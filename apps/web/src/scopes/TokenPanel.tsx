import { scopeDialogTexts } from '@cadmus/model/messages/scope-dialogs'
import type { ApiAccess } from '@cadmus/model/required-scopes'
import { X } from 'lucide-react'
import { useId, useState } from 'react'
import { Alert } from '../ui/Alert.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { MultiSelect } from '../ui/Select.tsx'
import { TextField } from '../ui/TextField.tsx'
import { countCallable, type MatrixRow } from './matrix-rows.ts'
import styles from './Scopes.module.css'
import { readToken, type TokenClaims } from './token.ts'

const { token: texts } = scopeDialogTexts

type TokenPanelProps = {
  rows: readonly MatrixRow[]
  access: ApiAccess
  /** Scopes to choose from. */
  offered: readonly string[]
  usesDirectory: boolean
  scopes: readonly string[]
  onScopes: (scopes: string[]) => void
  onClose: () => void
}

/** Chooses the scopes of a token, or reads them from one, which never leaves the page. */
export function TokenPanel({ rows, access, offered, usesDirectory, scopes, onScopes, onClose }: TokenPanelProps) {
  const [text, setText] = useState('')
  const heading = useId()
  const claims = readToken(text)
  const { callable, served } = countCallable(rows, access, new Set(scopes))
  return (
    <aside className={styles['token']} aria-labelledby={heading}>
      <div className={styles['tokenHead']}>
        <h2 id={heading}>{texts.title}</h2>
        <IconButton label={texts.close} icon={X} onClick={onClose} />
      </div>
      <p aria-live="polite" className={styles['sum']}>
        {texts.sum(callable, served)}
      </p>
      <MultiSelect label={texts.scopes} placeholder={texts.none} options={offered} value={scopes} onChange={onScopes} />
      <TextField
        label={texts.paste}
        hint={usesDirectory ? texts.directory : texts.pasteHint}
        reason={usesDirectory && texts.directory}
        mono
        value={text}
        error={text.trim() !== '' && claims === null ? texts.unreadable : null}
        onChange={next => {
          setText(next)
          const read = readToken(next)
          if (read) onScopes([...read.scopes])
        }}
      />
      {claims && <Claims claims={claims} />}
    </aside>
  )
}

function Claims({ claims: { subject, scopes, expires } }: { claims: TokenClaims }) {
  const [now] = useState(() => Date.now())
  return (
    <>
      {subject !== null && <p>{texts.subject(subject)}</p>}
      {scopes.length === 0 && <Alert kind="warning">{texts.noClaims}</Alert>}
      {expires !== null && expires * 1000 < now && (
        <Alert kind="warning">{texts.expired(new Date(expires * 1000).toLocaleString())}</Alert>
      )}
    </>
  )
}
