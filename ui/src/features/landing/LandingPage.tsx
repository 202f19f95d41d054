import { Button, Text, Title } from "@mantine/core";
import type { ComponentType } from "react";
import { Link } from "react-router";
import { usePublicConfig } from "../../api/publicConfig";
import { AuthStory } from "../../layouts/AuthStory";
import { Brand } from "../../layouts/Brand";
import { later } from "../../layouts/Later";
import { LocaleSwitch } from "../../layouts/LocaleSwitch";
import { SchemeSwitch } from "../../layouts/SchemeSwitch";
import { usePageTitle } from "../../layouts/usePageTitle";
import {
  IconFileText,
  IconLanguage,
  IconUpload,
  IconUsers,
  IconUsersGroup,
  IconWaveSine,
} from "../../theme/icons";
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
    title: "Read it while it is transcribed",
    text: "Lines appear as they are recognized, with the time of every word. Doubtful words are underlined.",
  },
  {
    icon: IconUpload,
    title: "Uploads that survive a bad connection",
    text: "Close the laptop or lose the network: an upload resumes where it stopped, and nothing is sent twice.",
  },
  {
    icon: IconLanguage,
    title: "Translations that stay in step",
    text: "Translate into several languages, edit side by side, and see which lines the original has outgrown.",
  },
  {
    icon: IconFileText,
    title: "Minutes that cite their source",
    text: "Minutes, summaries and blog posts link each sentence to the moment when it was said.",
  },
  {
    icon: IconUsers,
    title: "Who said what",
    text: "Speakers are told apart, named once and shown in captions, texts and exports.",
  },
  {
    icon: IconUsersGroup,
    title: "Made for teams",
    text: "Share files, tags and terms with colleagues, and decide who may edit and who may only look.",
  },
];

/** What a visitor sees first. */
export default function LandingPage() {
  usePageTitle("Transcribe, correct and subtitle");
  const pays = usePublicConfig()?.billing != null;
  return (
    <div className={styles.landing}>
      <header className={styles.top}>
        <Brand to="/" />
        <nav aria-label="Account" className={styles.account}>
          <LocaleSwitch />
          <SchemeSwitch />
          <Button component={Link} to="/login" variant="subtle">
            Sign in
          </Button>
        </nav>
      </header>
      <main>
        <section className={styles.hero}>
          <div className={styles.pitch}>
            <Title order={1}>Captions people can rely on</Title>
            <Text className={styles.lead}>
              Upload video or audio, watch it being transcribed, correct and translate the captions,
              and export the video with subtitles.
            </Text>
            <div className={styles.actions}>
              <Button component={Link} to="/register" size="md">
                Create an account
              </Button>
              <Button component={Link} to="/login" size="md" variant="default">
                Sign in
              </Button>
            </div>
          </div>
          <AuthStory />
        </section>
        <section aria-label="What you can do" className={styles.points}>
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
