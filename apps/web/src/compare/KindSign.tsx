import type { EntityChangeKind } from '@cadmus/model/contract/comparison'
import { compareTexts as texts } from '@cadmus/model/messages/compare'
import { ArrowUpDown, Circle, Minus, PencilLine, Plus } from 'lucide-react'
import styles from './Compare.module.css'

const icons = { added: Plus, removed: Minus, renamed: PencilLine, moved: ArrowUpDown, changed: Circle } as const

/** A kind of change as sign, word and colour. `isShort`: the word is for screen readers only. */
export function KindSign({ kind, isShort = false }: { kind: EntityChangeKind; isShort?: boolean }) {
  const Sign = icons[kind]
  return (
    <span className={styles['sign']} data-kind={kind} title={isShort ? texts.kinds[kind] : undefined}>
      <Sign size={kind === 'changed' ? 8 : 14} fill={kind === 'changed' ? 'currentColor' : 'none'} aria-hidden />
      <span className={isShort ? 'visually-hidden' : undefined}>{texts.kinds[kind]}</span>
    </span>
  )
}
