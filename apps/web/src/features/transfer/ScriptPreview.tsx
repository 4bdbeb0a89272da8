import { messages } from '@cadmus/model/messages'
import { useEffect, useMemo, useRef } from 'react'
import { rowsInView, useRowWindow } from '../../ui/use-window.ts'
import styles from './Transfer.module.css'

const lineHeight = 18
/** A browser lays out what is longer for seconds; copied and downloaded it is whole. */
const longestLine = 5000

/** A script as it is, of any length: only the lines in view are in the page. */
export function ScriptPreview({ script, notes }: { script: string; notes: number }) {
  const scroller = useRef<HTMLElement>(null)
  // The button that asked for it is gone: the keyboard goes on here.
  useEffect(() => scroller.current?.focus(), [])
  const view = useRowWindow(scroller)
  const lines = useMemo(() => script.replace(/\n$/, '').split('\n'), [script])
  const cut = useMemo(() => lines.filter(line => line.length > longestLine).length, [lines])
  return (
    <>
      <p className={styles['size']}>{messages.script.size(lines.length, new Blob([script]).size, notes)}</p>
      {cut > 0 && <p className={styles['size']}>{messages.script.cut(cut, longestLine)}</p>}
      {/* What scrolls must take the focus, or the keyboard cannot scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section ref={scroller} className={styles['script']} aria-label={messages.script.label} tabIndex={0}>
        <div style={{ height: lines.length * lineHeight }}>
          {rowsInView(view, lines.length, lineHeight, -1).map(at => (
            <pre key={at} style={{ top: at * lineHeight }}>
              {lines[at]?.slice(0, longestLine)}
            </pre>
          ))}
        </div>
      </section>
    </>
  )
}
