import { Button, Text, Title } from "@mantine/core";
import type { ComponentType } from "react";
import { Link } from "react-router";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/landing";
import { AuthStory } from "./AuthStory";
import { Brand } from "../../platform/page/Brand";
import { later } from "../../platform/failure/Later";
import { LocaleSwitch } from "../../domain/person/LocaleSwitch";
import { SchemeSwitch } from "../../platform/page/SchemeSwitch";
import { usePageTitle } from "../../platform/page/usePageTitle";
import {
  IconFileText,
  IconLanguage,
  IconUpload,
  IconUsers,
  IconUsersGroup,
  IconWaveSine,
} from "../../platform/theme/icons";
import styles from "./landing.module.css";

const Plans = later(() => import("./Plans"));

interface Point {
  icon: ComponentType<{ size: number }>;
  title: string;
  text: string;
}

const POINTS: Point[] = [
  {
    icon: IconWaveSine,
    title: t("live.title"),
    text: t("live.about"),
  },
  {
    icon: IconUpload,
    title: t("uploads.title"),
    text: t("uploads.about"),
  },
  {
    icon: IconLanguage,
    title: t("translations.title"),
    text: t("translations.about"),
  },
  {
    icon: IconFileText,
    title: t("minutes.title"),
    text: t("minutes.about"),
  },
  {
    icon: IconUsers,
    title: t("speakers.title"),
    text: t("speakers.about"),
  },
  {
    icon: IconUsersGroup,
    title: t("teams.title"),
    text: t("teams.about"),
  },
];

/** What a visitor sees first. */
export default function LandingPage() {
  usePageTitle(t("headline"));
  const pays = usePublicConfig()?.billing != null;
  return (
    <div className={styles.landing}>
      <header className={styles.top}>
        <Brand to="/" />
        <nav aria-label={t("account")} className={styles.account}>
          <LocaleSwitch />
          <SchemeSwitch />
          <Button component={Link} to="/login" variant="subtle">
            {t("signIn")}
          </Button>
        </nav>
      </header>
      <main>
        <section className={styles.hero}>
          <div className={styles.pitch}>
            <Title order={1}>{t("lead")}</Title>
            <Text className={styles.lead}>{t("about")}</Text>
            <div className={styles.actions}>
              <Button component={Link} to="/register" size="md">
                {t("register")}
              </Button>
              <Button component={Link} to="/login" size="md" variant="default">
                {t("signIn")}
              </Button>
            </div>
          </div>
          <AuthStory />
        </section>
        <section aria-label={t("features.title")} className={styles.points}>
          {POINTS.map(({ icon: Icon, title, text }) => (
            <article key={title} className={styles.point}>
              <span className={styles.pointIcon} aria-hidden="true">
                <Icon size={20} />
              </span>
              <h2>{title}</h2>
              <p>{text}</p>
            </article>
          ))}
        </section>
        {pays && <Plans />}
      </main>
    </div>
  );
}
