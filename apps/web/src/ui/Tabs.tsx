import { Tabs as Base } from '@base-ui/react/tabs'
import { TriangleAlert } from 'lucide-react'
import { createContext, type ReactNode, use, useState } from 'react'
import { createPortal } from 'react-dom'
import { disabledFor } from './reasons.ts'
import { tip } from './Tooltip.tsx'
import styles from './Tabs.module.css'

export type TabItem<V extends string> = {
  value: V
  label: string
  count?: number
  /** Explains the label. */
  hint?: string | undefined
  warning?: string | undefined
  disabled?: string | false
  panel: ReactNode
}
export type TabsProps<V extends string> = {
  label: string
  items: readonly TabItem<V>[]
  value: V
  onChange: (value: V) => void
}

const ToolsPlace = createContext<HTMLElement | null>(null)

/** Tools of a panel, such as its search, shown at the end of the line of tabs. */
export function TabTools({ children }: { children: ReactNode }) {
  const place = use(ToolsPlace)
  return place && createPortal(children, place)
}

/** Tabs inside a document or dialog, with counts. Only the open panel is mounted. */
export function Tabs<V extends string>({ label, items, value, onChange }: TabsProps<V>) {
  const [tools, setTools] = useState<HTMLElement | null>(null)
  return (
    <Base.Root
      value={value}
      onValueChange={(next: unknown) => {
        const chosen = items.find(item => item.value === next)
        if (chosen) onChange(chosen.value)
      }}
      className={styles['root']}
    >
      <div className={styles['bar']}>
        <Base.List aria-label={label} className={styles['list']} activateOnFocus>
          {items.map(item => (
            <Base.Tab
              key={item.value}
              value={item.value}
              disabled={Boolean(item.disabled)}
              data-tour={`tab.${item.value}`}
              className={styles['tab']}
              {...tipOf(item)}
            >
              {item.label}
              {item.count !== undefined && <span className={styles['count']}>{item.count}</span>}
              {item.warning !== undefined && <TriangleAlert size={14} aria-hidden className={styles['warning']} />}
            </Base.Tab>
          ))}
        </Base.List>
        <div ref={setTools} className={styles['tools']} />
      </div>
      <ToolsPlace value={tools}>
        {items.map(item => (
          <Base.Panel key={item.value} value={item.value} className={styles['panel']} tabIndex={-1}>
            {item.panel}
          </Base.Panel>
        ))}
      </ToolsPlace>
    </Base.Root>
  )
}

function tipOf<V extends string>({ label, disabled, warning, hint }: TabItem<V>) {
  if (disabled) return disabledFor(disabled, label)
  const text = warning ?? hint
  return text === undefined ? {} : tip(text)
}
