import { visibleText } from '@cadmus/model/display'
import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './Alert.module.css'

const icons = { danger: CircleAlert, warning: TriangleAlert, info: Info }

export type AlertProps = { kind?: 'danger' | 'warning' | 'info'; children: ReactNode }

export function Alert({ kind = 'danger', children }: AlertProps) {
  const Symbol = icons[kind]
  return (
    <div role={kind === 'danger' ? 'alert' : 'note'} className={classNames(styles['alert'], styles[kind])}>
      <Symbol size={16} aria-hidden />
      <div className={styles['words']}>
        {typeof children === 'string' ? visibleText(children, { lines: true }) : children}
      </div>
    </div>
  )
}
