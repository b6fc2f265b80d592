"""Programs that use VTK rightly, and one invented name for each: `(program, what is there, what is
put in its place)`. The inventions are of the kinds that models make: a method of another class, a
class in the wrong module, a keyword that sounds right, a plausible convenience."""

# ruff: noqa: E501  (a program and its two words on three lines)

SNIPPETS: tuple[tuple[str, str, str], ...] = (
    (
        "from vtkmodules.vtkFiltersSources import vtkCylinderSource\n"
        "cylinder = vtkCylinderSource()\ncylinder.SetResolution(8)\ncylinder.Update()\n",
        "SetResolution(8)", "SetSides(8)",
    ),
    (
        "from vtkmodules.vtkFiltersSources import vtkSphereSource\n"
        "sphere = vtkSphereSource()\nsphere.SetRadius(2.0)\nsphere.SetThetaResolution(32)\n",
        "SetThetaResolution", "SetResolution",
    ),
    (
        "from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper\n"
        "mapper = vtkPolyDataMapper()\nactor = vtkActor()\nactor.SetMapper(mapper)\n",
        "SetMapper", "SetPolyDataMapper",
    ),
    (
        "from vtkmodules.vtkRenderingCore import vtkActor\n"
        "actor = vtkActor()\nactor.GetProperty().SetColor(0, 0, 1)\n",
        "SetColor", "SetColour",
    ),
    (
        "from vtkmodules.vtkRenderingCore import vtkActor\n"
        "actor = vtkActor()\nactor.SetPosition(1, 2, 3)\nactor.RotateX(30)\n",
        "RotateX(30)", "Rotate(30, 1, 0, 0)",
    ),
    (
        "from vtkmodules.vtkRenderingCore import vtkRenderer, vtkRenderWindow\n"
        "renderer = vtkRenderer()\nwindow = vtkRenderWindow()\nwindow.AddRenderer(renderer)\n",
        "AddRenderer(renderer)", "SetRenderer(renderer)",
    ),
    (
        "from vtkmodules.vtkRenderingCore import vtkRenderer\n"
        "renderer = vtkRenderer()\nrenderer.SetBackground(0.1, 0.2, 0.4)\nrenderer.ResetCamera()\n",
        "SetBackground", "SetBackgroundColor",
    ),
    (
        "from vtkmodules.vtkRenderingCore import vtkRenderWindow, vtkRenderWindowInteractor\n"
        "window = vtkRenderWindow()\ninteractor = vtkRenderWindowInteractor()\n"
        "interactor.SetRenderWindow(window)\ninteractor.Initialize()\ninteractor.Start()\n",
        "SetRenderWindow(window)", "AttachWindow(window)",
    ),
    (
        "from vtkmodules.vtkIOGeometry import vtkSTLReader\n"
        "reader = vtkSTLReader()\nreader.SetFileName('part.stl')\nreader.Update()\n",
        "SetFileName", "SetFilename",
    ),
    (
        "from vtkmodules.vtkIOGeometry import vtkOBJReader\n"
        "reader = vtkOBJReader()\nreader.SetFileName('part.obj')\nreader.Update()\n",
        "vtkIOGeometry import", "vtkIOObj import",
    ),
    (
        "from vtkmodules.vtkIOPLY import vtkPLYReader\n"
        "reader = vtkPLYReader()\nreader.SetFileName('scan.ply')\n",
        "from vtkmodules.vtkIOPLY import vtkPLYReader", "from vtkmodules.vtkIOGeometry import vtkPLYReader",
    ),
    (
        "from vtkmodules.vtkIOXML import vtkXMLPolyDataReader\n"
        "reader = vtkXMLPolyDataReader()\nreader.SetFileName('a.vtp')\nreader.Update()\n"
        "surface = reader.GetOutput()\nprint(surface.GetNumberOfPoints())\n",
        "GetNumberOfPoints", "GetPointCount",
    ),
    (
        "from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader\n"
        "reader = vtkXMLUnstructuredGridReader()\nreader.SetFileName('a.vtu')\nreader.Update()\n",
        "vtkXMLUnstructuredGridReader", "vtkVTUReader",
    ),
    (
        "from vtkmodules.vtkIOImage import vtkPNGWriter\n"
        "from vtkmodules.vtkRenderingCore import vtkWindowToImageFilter\n"
        "grab = vtkWindowToImageFilter()\nwriter = vtkPNGWriter()\n"
        "writer.SetInputConnection(grab.GetOutputPort())\nwriter.SetFileName('a.png')\nwriter.Write()\n",
        "writer.Write()", "writer.Save()",
    ),
    (
        "from vtkmodules.vtkFiltersCore import vtkContourFilter\n"
        "contour = vtkContourFilter()\ncontour.SetValue(0, 120.0)\ncontour.Update()\n",
        "SetValue(0, 120.0)", "SetIsoValue(120.0)",
    ),
    (
        "from vtkmodules.vtkFiltersCore import vtkMarchingCubes\n"
        "surface = vtkMarchingCubes()\nsurface.ComputeNormalsOn()\nsurface.SetValue(0, 500)\n",
        "ComputeNormalsOn", "EnableNormals",
    ),
    (
        "from vtkmodules.vtkFiltersCore import vtkSmoothPolyDataFilter\n"
        "smooth = vtkSmoothPolyDataFilter()\nsmooth.SetNumberOfIterations(30)\n"
        "smooth.SetRelaxationFactor(0.1)\n",
        "SetNumberOfIterations", "SetIterations",
    ),
    (
        "from vtkmodules.vtkFiltersCore import vtkDecimatePro\n"
        "decimate = vtkDecimatePro()\ndecimate.SetTargetReduction(0.5)\ndecimate.PreserveTopologyOn()\n",
        "SetTargetReduction", "SetReductionFactor",
    ),
    (
        "from vtkmodules.vtkFiltersCore import vtkDelaunay3D\n"
        "grid = vtkDelaunay3D()\ngrid.SetAlpha(0.2)\ngrid.SetTolerance(0.001)\n",
        "vtkFiltersCore import vtkDelaunay3D", "vtkFiltersGeneral import vtkDelaunay3D",
    ),
    (
        "from vtkmodules.vtkFiltersCore import vtkClipPolyData\n"
        "from vtkmodules.vtkCommonDataModel import vtkPlane\n"
        "plane = vtkPlane()\nplane.SetNormal(1, 0, 0)\nclip = vtkClipPolyData()\n"
        "clip.SetClipFunction(plane)\n",
        "SetClipFunction", "SetClipPlane",
    ),
    (
        "from vtkmodules.vtkFiltersCore import vtkCutter\n"
        "from vtkmodules.vtkCommonDataModel import vtkPlane\n"
        "plane = vtkPlane()\nplane.SetOrigin(0, 0, 0)\ncutter = vtkCutter()\n"
        "cutter.SetCutFunction(plane)\n",
        "SetCutFunction(plane)", "SetPlane(plane)",
    ),
    (
        "from vtkmodules.vtkFiltersCore import vtkGlyph3D\n"
        "from vtkmodules.vtkFiltersSources import vtkArrowSource\n"
        "arrow = vtkArrowSource()\nglyph = vtkGlyph3D()\n"
        "glyph.SetSourceConnection(arrow.GetOutputPort())\nglyph.SetScaleFactor(0.2)\n",
        "SetScaleFactor", "SetGlyphScale",
    ),
    (
        "from vtkmodules.vtkFiltersCore import vtkTubeFilter\n"
        "tube = vtkTubeFilter()\ntube.SetRadius(0.1)\ntube.SetNumberOfSides(20)\n",
        "SetNumberOfSides", "SetSides",
    ),
    (
        "from vtkmodules.vtkFiltersCore import vtkPolyDataNormals\n"
        "normals = vtkPolyDataNormals()\nnormals.SplittingOff()\nnormals.ConsistencyOn()\n",
        "ConsistencyOn", "MakeConsistent",
    ),
    (
        "from vtkmodules.vtkFiltersGeneral import vtkTransformPolyDataFilter\n"
        "from vtkmodules.vtkCommonTransforms import vtkTransform\n"
        "move = vtkTransform()\nmove.Translate(1, 0, 0)\nfilter = vtkTransformPolyDataFilter()\n"
        "filter.SetTransform(move)\n",
        "move.Translate(1, 0, 0)", "move.SetTranslation(1, 0, 0)",
    ),
    (
        "from vtkmodules.vtkFiltersGeneral import vtkWarpScalar\n"
        "warp = vtkWarpScalar()\nwarp.SetScaleFactor(2.0)\n",
        "vtkWarpScalar", "vtkWarpByScalar",
    ),
    (
        "from vtkmodules.vtkFiltersModeling import vtkOutlineFilter\n"
        "outline = vtkOutlineFilter()\noutline.Update()\nbox = outline.GetOutput()\n"
        "print(box.GetBounds())\n",
        "GetBounds", "GetBoundingBox",
    ),
    (
        "from vtkmodules.vtkCommonCore import vtkPoints\n"
        "points = vtkPoints()\npoints.InsertNextPoint(0, 0, 0)\nprint(points.GetNumberOfPoints())\n",
        "InsertNextPoint", "AddPoint",
    ),
    (
        "from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkLine\n"
        "line = vtkLine()\nline.GetPointIds().SetId(0, 0)\ncells = vtkCellArray()\n"
        "cells.InsertNextCell(line)\n",
        "SetId(0, 0)", "SetPointId(0, 0)",
    ),
    (
        "from vtkmodules.vtkCommonDataModel import vtkPolyData\n"
        "data = vtkPolyData()\nprint(data.GetNumberOfCells())\ndata.GetPointData().GetScalars()\n",
        "GetPointData().GetScalars()", "GetPointData().GetScalarArray()",
    ),
    (
        "from vtkmodules.vtkCommonDataModel import vtkImageData\n"
        "image = vtkImageData()\nimage.SetDimensions(10, 10, 10)\nimage.SetSpacing(1, 1, 1)\n",
        "SetSpacing", "SetVoxelSize",
    ),
    (
        "from vtkmodules.vtkCommonDataModel import vtkUnstructuredGrid\n"
        "from vtkmodules.vtkCommonCore import vtkPoints\n"
        "grid = vtkUnstructuredGrid()\ngrid.SetPoints(vtkPoints())\n",
        "vtkCommonCore import vtkPoints", "vtkCommonDataModel import vtkPoints",
    ),
    (
        "from vtkmodules.vtkCommonCore import vtkLookupTable\n"
        "table = vtkLookupTable()\ntable.SetHueRange(0.667, 0.0)\ntable.Build()\n",
        "SetHueRange", "SetColorRange",
    ),
    (
        "from vtkmodules.vtkCommonColor import vtkNamedColors\n"
        "colors = vtkNamedColors()\ncolor = colors.GetColor3d('Tomato')\n",
        "GetColor3d", "GetColorByName",
    ),
    (
        "from vtkmodules.vtkRenderingAnnotation import vtkScalarBarActor\n"
        "bar = vtkScalarBarActor()\nbar.SetTitle('T')\nbar.SetNumberOfLabels(5)\n",
        "SetNumberOfLabels", "SetLabelCount",
    ),
    (
        "from vtkmodules.vtkRenderingAnnotation import vtkAxesActor\n"
        "axes = vtkAxesActor()\naxes.SetTotalLength(1, 1, 1)\naxes.AxisLabelsOff()\n",
        "vtkRenderingAnnotation", "vtkRenderingAxes",
    ),
    (
        "from vtkmodules.vtkRenderingCore import vtkRenderer\n"
        "renderer = vtkRenderer()\ncamera = renderer.GetActiveCamera()\ncamera.Azimuth(30)\n"
        "camera.SetFocalPoint(0, 0, 0)\n",
        "SetFocalPoint", "LookAt",
    ),
    (
        "from vtkmodules.vtkRenderingCore import vtkTextActor\n"
        "text = vtkTextActor()\ntext.SetInput('hello')\ntext.GetTextProperty().SetFontSize(24)\n",
        "SetFontSize(24)", "SetSize(24)",
    ),
    (
        "from vtkmodules.vtkFiltersSources import vtkConeSource\n"
        "cone = vtkConeSource(height=3.0, radius=1.0, resolution=20)\ncone.Update()\n",
        "resolution=20", "sides=20",
    ),
    (
        "from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper\n"
        "def shown(mapper: vtkPolyDataMapper) -> vtkActor:\n"
        "    mapper.ScalarVisibilityOff()\n    return vtkActor(mapper=mapper)\n",
        "ScalarVisibilityOff", "HideScalars",
    ),
)  # fmt: skip
