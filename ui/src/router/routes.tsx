import { Loader } from "@mantine/core";
import type { ComponentType } from "react";
import { createBrowserRouter, Navigate, type RouteObject } from "react-router";
import { t } from "../i18n/en/layouts";
import { AuthLayout } from "../layouts/AuthLayout";
import { DefaultLayout, FullPageLayout } from "../layouts/DefaultLayout";
import { RouteErrorPage } from "../layouts/ErrorScreen";
import { NotFoundPage } from "../layouts/NotFoundPage";
import { Guard } from "./Guard";
import { reloadOnce } from "./reloadOnce";

type Page = () => Promise<{ default: ComponentType }>;

/** A page in its own chunk. If a new build has removed the chunk, reload the page. */
const page = (load: Page) => async () => {
  try {
    return { Component: (await load()).default };
  } catch (error) {
    if (reloadOnce(window.location.pathname)) return { Component: () => null };
    throw error;
  }
};

const routes: RouteObject[] = [
  {
    element: <Guard />,
    errorElement: <RouteErrorPage />,
    HydrateFallback: () => <Loader m="xl" aria-label={t("loading")} />,
    children: [
      {
        element: <AuthLayout />,
        children: [
          { path: "/login", lazy: page(() => import("../features/auth/LoginPage")) },
          { path: "/register", lazy: page(() => import("../features/auth/RegisterPage")) },
          {
            path: "/onboarding/billing",
            lazy: page(() => import("../features/billing/OnboardingPage")),
          },
          { path: "/reset/password", lazy: page(() => import("../features/auth/ForgotPage")) },
          { path: "/reset/:hash/:email", lazy: page(() => import("../features/auth/ResetPage")) },
          {
            path: "/email/verification/*",
            lazy: page(() => import("../features/auth/VerificationPage")),
          },
          { path: "/invitation", lazy: page(() => import("../features/teams/InvitationPage")) },
        ],
      },
      {
        element: <DefaultLayout />,
        children: [
          { path: "/dashboard", lazy: page(() => import("../features/uploads/DashboardPage")) },
          { path: "/projects", lazy: page(() => import("../features/files/ProjectsPage")) },
          {
            path: "/subscription",
            lazy: page(() => import("../features/billing/SubscriptionPage")),
          },
          { path: "/glossary", lazy: page(() => import("../features/glossary/GlossaryPage")) },
          { path: "/minutes", lazy: page(() => import("../features/ledger/MinutesPage")) },
          { path: "/bin", lazy: page(() => import("../features/files/BinPage")) },
          { path: "/captions", lazy: page(() => import("../features/files/FilesPage")) },
          { path: "/settings", lazy: page(() => import("../features/account/SettingsPage")) },
          { path: "/teams", lazy: page(() => import("../features/teams/TeamsPage")) },
          { path: "/teams/:browseAs", lazy: page(() => import("../features/teams/BrowseAsPage")) },
        ],
      },
      {
        element: <FullPageLayout />,
        children: [
          {
            path: "/captions/processing/:slug",
            lazy: page(() => import("../features/processing/ProcessingPage")),
          },
          {
            path: "/captions/:slug",
            lazy: page(() => import("../features/captions/CaptionsPage")),
          },
        ],
      },
      {
        // Loads with its first page, so that nobody else waits for it.
        lazy: async () => ({ Component: (await import("../layouts/AdminLayout")).AdminLayout }),
        children: [
          { path: "/admin", element: <Navigate to="/admin/dashboard" replace /> },
          {
            path: "/admin/dashboard",
            lazy: page(() => import("../features/admin/dashboard/DashboardPage")),
          },
          {
            path: "/admin/contents",
            lazy: page(() => import("../features/admin/contents/ContentsPage")),
          },
          {
            path: "/admin/invoices",
            lazy: page(() => import("../features/admin/invoices/InvoicesPage")),
          },
          {
            path: "/admin/models",
            lazy: page(() => import("../features/admin/models/ModelsPage")),
          },
          {
            path: "/admin/mails",
            lazy: page(() => import("../features/admin/mails/MailsPage")),
          },
          {
            path: "/admin/users",
            lazy: page(() => import("../features/admin/users/UsersPage")),
          },
          {
            path: "/admin/users/create",
            lazy: page(() => import("../features/admin/users/CreateUserPage")),
          },
          {
            path: "/admin/users/:id",
            lazy: page(() => import("../features/admin/users/UserPage")),
          },
          {
            path: "/admin/companies",
            lazy: page(() => import("../features/admin/companies/CompaniesPage")),
          },
          {
            path: "/admin/companies/:id",
            lazy: page(() => import("../features/admin/companies/CompanyPage")),
          },
          {
            path: "/admin/audit",
            lazy: page(() => import("../features/admin/audit/AuditPage")),
          },
        ],
      },
      { path: "/", lazy: page(() => import("../features/landing/LandingPage")) },
      { path: "/error", lazy: page(() => import("../layouts/ErrorRoutePage")) },
      { path: "*", element: <NotFoundPage /> },
    ],
  },
];

export const makeRouter = () => createBrowserRouter(routes);
